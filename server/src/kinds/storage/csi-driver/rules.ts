import { goTexts } from "@gatehouse/apiserver/go";
import type { KindRules, StrategyContext } from "@gatehouse/apiserver/registry";
import { checkImmutable, checkSupported, type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonObject, listAt, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";

const specPath = FieldPath.of("spec");
const tokenRequestsPath = specPath.child("tokenRequests");

/** The path of `attachRequired`, for which v1.29 has another name. */
const attachRequiredPath = specPath.child("attachedRequired");

/** Rules of CSIDriver. Members that running pods depend on do not change. */
export const csiDriverRules: KindRules = {
  create: (driver, errors, context) => checkSpec(objectAt(driver, "spec"), errors, context),
  update(driver, old, errors, context) {
    const spec = objectAt(driver, "spec");
    const oldSpec = objectAt(old, "spec");
    checkSpec(spec, errors, context);
    checkImmutable(spec["attachRequired"], oldSpec["attachRequired"], attachRequiredPath, errors);
    checkImmutable(spec["fsGroupPolicy"], oldSpec["fsGroupPolicy"], specPath.child("fsGroupPolicy"), errors);
    checkImmutable(spec["podInfoOnMount"], oldSpec["podInfoOnMount"], specPath.child("podInfoOnMount"), errors);
    const modes = spec["volumeLifecycleModes"];
    checkImmutable(modes, oldSpec["volumeLifecycleModes"], specPath.child("volumeLifecycleModes"), errors, () =>
      goTexts("storage.VolumeLifecycleMode", modes),
    );
    checkTokenRequests(spec, errors);
  },
};

function checkSpec(spec: JsonObject, errors: FieldErrors, { features }: StrategyContext): void {
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
    checkSupported(textAt(spec, "fsGroupPolicy"), policies, specPath.child("fsGroupPolicy"), errors);
  }
  checkTokenRequests(spec, errors);
  for (const mode of textsAt(spec, "volumeLifecycleModes")) {
    if (errors.isFull) {
      return;
    }
    checkSupported(mode, ["Persistent", "Ephemeral"], specPath.child("volumeLifecycleModes"), errors);
  }
  if (!isSet(spec, "seLinuxMount") && features.enabled("SELinuxMountReadWriteOncePod")) {
    errors.required(specPath.child("seLinuxMount"));
  }
}

/** Validates token requests: each audience at most once, and a lifetime of at least ten minutes. */
function checkTokenRequests(spec: JsonObject, errors: FieldErrors): void {
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
