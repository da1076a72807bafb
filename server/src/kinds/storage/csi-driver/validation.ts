import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, validateImmutable, validateSupported } from "@gatehouse/apiserver/validation";
import { goTexts } from "@gatehouse/envelopes/go";
import { integerAt, isSet, type JsonObject, listAt, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";

const specPath = FieldPath.of("spec");
const tokenRequestsPath = specPath.child("tokenRequests");

/** The path of `attachRequired`, for which v1.29 has another name. */
const attachRequiredPath = specPath.child("attachedRequired");

/** Rules of CSIDriver. Members that running pods depend on do not change. */
export const csiDriverValidation: KindValidation = {
  create: (driver, errors, context) => validateSpec(objectAt(driver, "spec"), errors, context),
  update(driver, old, errors, context) {
    const spec = objectAt(driver, "spec");
    const oldSpec = objectAt(old, "spec");
    validateSpec(spec, errors, context);
    validateImmutable(spec["attachRequired"], oldSpec["attachRequired"], attachRequiredPath, errors);
    validateImmutable(spec["fsGroupPolicy"], oldSpec["fsGroupPolicy"], specPath.child("fsGroupPolicy"), errors);
    validateImmutable(spec["podInfoOnMount"], oldSpec["podInfoOnMount"], specPath.child("podInfoOnMount"), errors);
    const modes = spec["volumeLifecycleModes"];
    validateImmutable(modes, oldSpec["volumeLifecycleModes"], specPath.child("volumeLifecycleModes"), errors, () =>
      goTexts("storage.VolumeLifecycleMode", modes),
    );
    validateTokenRequests(spec, errors);
  },
};

function validateSpec(spec: JsonObject, errors: FieldErrors, { features }: StrategyContext): void {
  if (!isSet(spec, "attachRequired")) {
    errors.required(attachRequiredPath);
  }
  for (const member of ["podInfoOnMount", "storageCapacity"]) {
    if (!isSet(spec, member)) {
      errors.required(specPath.child(member));
    }
  }
  if (isSet(spec, "fsGroupPolicy")) {
    const policies = ["File", "None", "ReadWriteOnceWithFSType"];
    validateSupported(textAt(spec, "fsGroupPolicy"), policies, specPath.child("fsGroupPolicy"), errors);
  }
  validateTokenRequests(spec, errors);
  for (const mode of textsAt(spec, "volumeLifecycleModes")) {
    if (errors.isFull) {
      return;
    }
    validateSupported(mode, ["Persistent", "Ephemeral"], specPath.child("volumeLifecycleModes"), errors);
  }
  if (!isSet(spec, "seLinuxMount") && features.enabled("SELinuxMountReadWriteOncePod")) {
    errors.required(specPath.child("seLinuxMount"));
  }
}

/** Validates token requests: each audience at most once, and a lifetime of at least ten minutes. */
function validateTokenRequests(spec: JsonObject, errors: FieldErrors): void {
  const audiences = new Set<string>();
  for (const [index, request] of listAt(spec, "tokenRequests").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = tokenRequestsPath.index(index);
    const audience = textAt(request, "audience");
    if (audiences.has(audience)) {
      errors.duplicate(path.child("audience"), audience);
      continue;
    }
    audiences.add(audience);
    if (!isSet(request, "expirationSeconds")) {
      continue;
    }
    const seconds = integerAt(request, "expirationSeconds");
    if (seconds < 600) {
      errors.invalid(path.child("expirationSeconds"), seconds, "may not specify a duration less than 10 minutes");
    }
    if (seconds > 2 ** 32) {
      errors.invalid(path.child("expirationSeconds"), seconds, "may not specify a duration larger than 2^32 seconds");
    }
  }
}
