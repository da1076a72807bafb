import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  validateFormat,
  validateImmutable,
  validateLabels,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goPointer, goQuote } from "@gatehouse/envelopes/go";
import {
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { validateLabelName } from "@gatehouse/envelopes/validation";
import { validateTolerations } from "../../../validation/tolerations.js";
import { validateResources } from "../../core/pod/validation/resources.js";

const handler = FieldPath.of("handler");
const scheduling = FieldPath.of("scheduling");

/** Options for resources outside a pod, which have no claims. */
const podless = { claimNames: new Set<string>(), allowIndivisibleHugePages: false };

/** Rules of RuntimeClass, whose handler does not change. */
export const runtimeClassValidation: KindValidation = {
  create: validateRuntimeClass,
  update(runtimeClass, old, errors) {
    errors.recheckMetadata("object");
    validateRuntimeClass(runtimeClass, errors);
    errors.recheckMetadata("change");
    validateImmutable(valueAt(runtimeClass, "handler"), valueAt(old, "handler"), handler, errors);
  },
};

function validateRuntimeClass(runtimeClass: JsonObject, errors: FieldErrors): void {
  validateFormat(textAt(runtimeClass, "handler"), validateLabelName, handler, errors);
  if (isSet(runtimeClass, "overhead")) {
    validateResources(
      { limits: objectAt(runtimeClass, "overhead", "podFixed") },
      FieldPath.of("overhead"),
      errors,
      podless,
    );
  }
  validateLabels(objectAt(runtimeClass, "scheduling", "nodeSelector"), scheduling.child("nodeSelector"), errors);
  const tolerations = listAt(runtimeClass, "scheduling", "tolerations");
  // As in v1.29, the name of the list is in each path twice.
  validateTolerations(tolerations, scheduling.child("tolerations").child("tolerations"), errors);
  validateUnique(tolerations, scheduling.child("tolerations"), errors);
}

/** Validates that no two tolerations are equal, apart from their duration. */
function validateUnique(tolerations: JsonArray, path: FieldPath, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    if (errors.isFull) {
      return;
    }
    const key = JSON.stringify(["key", "operator", "value", "effect"].map((name) => textAt(toleration, name)));
    if (seen.has(key)) {
      errors.duplicateShown(path.index(index), goToleration(toleration));
    }
    seen.add(key);
  }
}

function goToleration(toleration: JsonValue): string {
  return goLiteral("core.Toleration", {
    Key: goQuote(textAt(toleration, "key")),
    Operator: goQuote(textAt(toleration, "operator")),
    Value: goQuote(textAt(toleration, "value")),
    Effect: goQuote(textAt(toleration, "effect")),
    TolerationSeconds: goPointer("int64", valueAt(toleration, "tolerationSeconds")),
  });
}
