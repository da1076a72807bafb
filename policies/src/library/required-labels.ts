import type { gatehouseadmissionV1alpha1, metaV1 } from "@gatehouse/envelopes/types";
import type { Violation } from "./violation.js";

/** Finds labels that an object lacks, or whose value is not allowed. */
export function requiredLabels(
  object: { readonly metadata?: metaV1.ObjectMeta },
  settings: gatehouseadmissionV1alpha1.RequiredLabels,
): Violation[] {
  const labels = object.metadata?.labels ?? {};
  return settings.labels.flatMap(({ key, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    const field = `metadata.labels[${key}]`;
    if (value === undefined || value === "") {
      return [{ field, message: "is required" }];
    }
    return values === undefined || values.length === 0 || values.includes(value)
      ? []
      : [{ field, message: `is ${JSON.stringify(value)}, must be one of ${values.join(", ")}` }];
  });
}
