import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, validateFormat } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateLabelName } from "@gatehouse/envelopes/validation";
import { validateNodeSelector } from "../../../validation/node-selector.js";
import { validateCsiDriverName } from "../../../validation/volumes/csi.js";
import { validateParametersReference } from "../validation/claim-spec.js";

const driverName = FieldPath.of("driverName");
const parametersRef = FieldPath.of("parametersRef");
const suitableNodes = FieldPath.of("suitableNodes");

/** Rules of ResourceClass. v1.29 lists every error of an update twice. */
export const resourceClassValidation: KindValidation = {
  create: validateClass,
  update(resourceClass, _old, errors) {
    errors.recheckMetadata("object");
    validateClass(resourceClass, errors);
    errors.recheckMetadata("change");
    errors.recheckMetadata("object");
    validateClass(resourceClass, errors);
  },
};

function validateClass(resourceClass: JsonObject, errors: FieldErrors): void {
  // Names of resource drivers have the form of CSI driver names.
  validateCsiDriverName(textAt(resourceClass, "driverName"), driverName, errors);
  validateParametersReference(resourceClass, parametersRef, errors);
  const namespace = textAt(resourceClass, "parametersRef", "namespace");
  if (namespace !== "") {
    validateFormat(namespace, validateLabelName, parametersRef.child("namespace"), errors);
  }
  if (isSet(resourceClass, "suitableNodes")) {
    validateNodeSelector(valueAt(resourceClass, "suitableNodes"), suitableNodes, errors);
  }
}
