import type { KindRules } from "@gatehouse/apiserver/registry";
import { checkFormat, type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { checkLabelName } from "@gatehouse/envelopes/validation";
import { checkNodeSelector } from "../../../validation/node-selector.js";
import { checkCsiDriverName } from "../../../validation/volumes/csi.js";
import { checkParametersReference } from "../rules/claim-spec.js";

const driverName = FieldPath.of("driverName");
const parametersRef = FieldPath.of("parametersRef");
const suitableNodes = FieldPath.of("suitableNodes");

/** Rules of ResourceClass. v1.29 lists every error of an update twice. */
export const resourceClassRules: KindRules = {
  create: checkClass,
  update(resourceClass, _old, errors) {
    errors.recheckMetadata("object");
    checkClass(resourceClass, errors);
    errors.recheckMetadata("change");
    errors.recheckMetadata("object");
    checkClass(resourceClass, errors);
  },
};

function checkClass(resourceClass: JsonObject, errors: FieldErrors): void {
  // Names of resource drivers have the form of CSI driver names.
  checkCsiDriverName(textAt(resourceClass, "driverName"), driverName, errors);
  checkParametersReference(resourceClass, parametersRef, errors);
  const namespace = textAt(resourceClass, "parametersRef", "namespace");
  if (namespace !== "") {
    checkFormat(namespace, checkLabelName, parametersRef.child("namespace"), errors);
  }
  if (isSet(resourceClass, "suitableNodes")) {
    checkNodeSelector(valueAt(resourceClass, "suitableNodes"), suitableNodes, errors);
  }
}
