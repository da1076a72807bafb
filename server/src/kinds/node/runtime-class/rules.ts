import { goPointer, goStruct } from "@gatehouse/apiserver/go";
import type { KindRules } from "@gatehouse/apiserver/registry";
import { checkFormat, checkImmutable, checkLabels, type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
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
import { goQuote } from "@gatehouse/envelopes/status";
import { checkLabelName } from "@gatehouse/envelopes/validation";
import { checkTolerations } from "../../../validation/tolerations.js";
import { checkResources } from "../../core/pod/rules/resources.js";

const handler = FieldPath.of("handler");
const scheduling = FieldPath.of("scheduling");

/** Options for resources outside a pod, which have no claims. */
const podless = { claimNames: new Set<string>(), allowIndivisibleHugePages: false };

/** Rules of RuntimeClass, whose handler does not change. */
export const runtimeClassRules: KindRules = {
  create: checkRuntimeClass,
  update(runtimeClass, old, errors) {
    errors.recheckMetadata("object");
    checkRuntimeClass(runtimeClass, errors);
    errors.recheckMetadata("change");
    checkImmutable(valueAt(runtimeClass, "handler"), valueAt(old, "handler"), handler, errors);
  },
};

function checkRuntimeClass(runtimeClass: JsonObject, errors: FieldErrors): void {
  checkFormat(textAt(runtimeClass, "handler"), checkLabelName, handler, errors);
  if (isSet(runtimeClass, "overhead")) {
    checkResources(
      { limits: objectAt(runtimeClass, "overhead", "podFixed") },
      FieldPath.of("overhead"),
      errors,
      podless,
    );
  }
  checkLabels(objectAt(runtimeClass, "scheduling", "nodeSelector"), scheduling.child("nodeSelector"), errors);
  const tolerations = listAt(runtimeClass, "scheduling", "tolerations");
  // As in v1.29, the name of the list is in each path twice.
  checkTolerations(tolerations, scheduling.child("tolerations").child("tolerations"), errors);
  checkUnique(tolerations, scheduling.child("tolerations"), errors);
}

/** Validates that no two tolerations are equal, apart from their duration. */
function checkUnique(tolerations: JsonArray, path: FieldPath, errors: FieldErrors): void {
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
  return goStruct("core.Toleration", {
    Key: goQuote(textAt(toleration, "key")),
    Operator: goQuote(textAt(toleration, "operator")),
    Value: goQuote(textAt(toleration, "value")),
    Effect: goQuote(textAt(toleration, "effect")),
    TolerationSeconds: goPointer("int64", valueAt(toleration, "tolerationSeconds")),
  });
}
