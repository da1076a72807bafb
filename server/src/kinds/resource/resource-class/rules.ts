import { checkLabelName, isSet, type JsonObject, textAt, valueAt } from "@gatehouse/envelopes";
import type { KindRules } from "../../../catalogue/resource-definition.js";
import type { FieldErrors } from "../../../rules/field-errors.js";
import { FieldPath } from "../../../rules/field-path.js";
import { checkFormat } from "../../../rules/names.js";
import { checkNodeSelector } from "../../../rules/node-selector.js";
import { checkCsiDriverName } from "../../../rules/volumes/csi.js";
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
