import { isSameAsSent } from "@gatehouse/apiserver/go";
import type { KindRules } from "@gatehouse/apiserver/registry";
import { checkImmutable, checkSupported, type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { checkParameters, checkProvisioner } from "../../../validation/provisioner-parameters.js";
import { checkTopologySelectorTerms } from "../../../validation/topology-selector.js";

const volumeBindingMode = FieldPath.of("volumeBindingMode");
const unchangeable = ["parameters", "provisioner", "reclaimPolicy"];

/**
 * Rules of StorageClass. Members that volumes are made by do not change: volumes outlive the request that made them.
 */
export const storageClassRules: KindRules = {
  create: checkStorageClass,
  update(storageClass, old, errors) {
    errors.recheckMetadata("object");
    checkStorageClass(storageClass, errors);
    errors.recheckMetadata("change");
    for (const member of unchangeable) {
      if (!isSameAsSent(storageClass, old, member)) {
        errors.forbidden(FieldPath.of(member), `updates to ${member} are forbidden.`);
      }
    }
    checkImmutable(storageClass["volumeBindingMode"], old["volumeBindingMode"], volumeBindingMode, errors);
  },
};

function checkStorageClass(storageClass: JsonObject, errors: FieldErrors): void {
  checkProvisioner(textAt(storageClass, "provisioner"), FieldPath.of("provisioner"), errors);
  checkParameters(objectAt(storageClass, "parameters"), FieldPath.of("parameters"), errors);
  const reclaimPolicy = textAt(storageClass, "reclaimPolicy");
  if (reclaimPolicy !== "") {
    checkSupported(reclaimPolicy, ["Delete", "Retain"], FieldPath.of("reclaimPolicy"), errors);
  }
  if (isSet(storageClass, "volumeBindingMode")) {
    const mode = textAt(storageClass, "volumeBindingMode");
    checkSupported(mode, ["Immediate", "WaitForFirstConsumer"], volumeBindingMode, errors);
  } else {
    errors.required(volumeBindingMode);
  }
  checkTopologySelectorTerms(listAt(storageClass, "allowedTopologies"), FieldPath.of("allowedTopologies"), errors);
}
