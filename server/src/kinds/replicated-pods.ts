import type { StrategyContext } from "@gatehouse/apiserver/registry";
import type { FieldErrors } from "@gatehouse/apiserver/validation";
import { booleanAt, isSet, type JsonObject, type JsonValue, listAt, valueAt } from "@gatehouse/envelopes/json";
import { validatePodTemplate } from "./core/pod/validation/template.js";
import { specPath, templateOptions, validateKeptAlive, validateSelectorFindsTemplate } from "./workload-validation.js";

/** Validates the template of replicated pods, which the selector of their workload must match. */
export function validateReplicatedTemplate(
  object: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = object["spec"] as JsonObject;
  if (!validateSelectorFindsTemplate(spec, "invalid label selector", errors)) {
    return;
  }
  validatePodTemplate(spec["template"], specPath.child("template"), errors, templateOptions(old, context));
  if (Number(spec["replicas"] ?? 0) > 1) {
    validateReadOnlyDisks(object, old, errors, context);
  }
  validateKeptAlive(spec, "ReplicaSet", errors);
}

/**
 * Validates that replicated pods do not write to one Google Compute Engine disk, unless the stored template does so.
 */
export function validateReadOnlyDisks(
  object: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  { features }: StrategyContext,
): void {
  const volumes = ["spec", "template", "spec", "volumes"] as const;
  if (features.enabled("SkipReadOnlyValidationGCE") || listAt(old, ...volumes).some(isWritableDisk)) {
    return;
  }
  const path = specPath.child("template").child("spec").child("volumes");
  for (const [index, volume] of listAt(object, ...volumes).entries()) {
    if (isWritableDisk(volume) && !errors.isFull) {
      errors.invalid(
        path.index(index).child("gcePersistentDisk").child("readOnly"),
        false,
        "must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only",
      );
    }
  }
}

function isWritableDisk(volume: JsonValue): boolean {
  return isSet(volume, "gcePersistentDisk") && !booleanAt(valueAt(volume, "gcePersistentDisk"), "readOnly");
}
