import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSameAsSent } from "@gatehouse/envelopes/go";
import { type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateParameters, validateProvisioner } from "../../../validation/provisioner-parameters.js";

const parametersPath = FieldPath.of("parameters");

/** Rules of VolumeAttributesClass, whose driver and parameters do not change. */
export const volumeAttributesClassValidation: KindValidation = {
  create: validateVolumeAttributesClass,
  update(volumeAttributesClass, old, errors) {
    errors.recheckMetadata("object");
    validateVolumeAttributesClass(volumeAttributesClass, errors);
    errors.recheckMetadata("change");
    for (const member of ["driverName", "parameters"]) {
      if (!isSameAsSent(volumeAttributesClass, old, member)) {
        errors.forbidden(FieldPath.of(member), `updates to ${member} are forbidden.`);
      }
    }
  },
};

function validateVolumeAttributesClass(volumeAttributesClass: JsonObject, errors: FieldErrors): void {
  validateProvisioner(textAt(volumeAttributesClass, "driverName"), FieldPath.of("driverName"), errors);
  const parameters = objectAt(volumeAttributesClass, "parameters");
  validateParameters(parameters, parametersPath, errors);
  if (Object.keys(parameters).length === 0) {
    errors.required(parametersPath, "must contain at least one key/value pair");
  }
}
