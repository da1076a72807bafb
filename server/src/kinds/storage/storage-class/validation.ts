import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, validateImmutable, validateSupported } from "@gatehouse/apiserver/validation";
import { isSameAsSent } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateParameters, validateProvisioner } from "../../../validation/provisioner-parameters.js";
import { validateTopologySelectorTerms } from "../../../validation/topology-selector.js";

const volumeBindingMode = FieldPath.of("volumeBindingMode");
const unchangeable = ["parameters", "provisioner", "reclaimPolicy"];

/**
 * Rules of StorageClass. Members that volumes are made by do not change: volumes outlive the request that made them.
 */
export const storageClassValidation: KindValidation = {
  create: validateStorageClass,
  update(storageClass, old, errors) {
    errors.recheckMetadata("object");
    validateStorageClass(storageClass, errors);
    errors.recheckMetadata("change");
    for (const member of unchangeable) {
      if (!isSameAsSent(storageClass, old, member)) {
        errors.forbidden(FieldPath.of(member), `updates to ${member} are forbidden.`);
      }
    }
    validateImmutable(storageClass["volumeBindingMode"], old["volumeBindingMode"], volumeBindingMode, errors);
  },
};

function validateStorageClass(storageClass: JsonObject, errors: FieldErrors): void {
  validateProvisioner(textAt(storageClass, "provisioner"), FieldPath.of("provisioner"), errors);
  validateParameters(objectAt(storageClass, "parameters"), FieldPath.of("parameters"), errors);
  const reclaimPolicy = textAt(storageClass, "reclaimPolicy");
  if (reclaimPolicy !== "") {
    validateSupported(reclaimPolicy, ["Delete", "Retain"], FieldPath.of("reclaimPolicy"), errors);
  }
  if (isSet(storageClass, "volumeBindingMode")) {
    const mode = textAt(storageClass, "volumeBindingMode");
    validateSupported(mode, ["Immediate", "WaitForFirstConsumer"], volumeBindingMode, errors);
  } else {
    errors.required(volumeBindingMode);
  }
  validateTopologySelectorTerms(listAt(storageClass, "allowedTopologies"), FieldPath.of("allowedTopologies"), errors);
}
