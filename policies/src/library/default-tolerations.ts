import type { coreV1, gatehouseadmissionV1alpha1 } from "@gatehouse/envelopes/types";

/** Adds to a pod, in place, each toleration unless it has one for the same key and effect. */
export function addDefaultTolerations(
  pod: coreV1.Pod,
  { tolerations }: gatehouseadmissionV1alpha1.DefaultTolerations,
): void {
  const { spec } = pod;
  if (spec === undefined) {
    return;
  }
  const missing = tolerations.filter(
    (wanted) => !(spec.tolerations ?? []).some(({ key, effect }) => key === wanted.key && effect === wanted.effect),
  );
  if (missing.length > 0) {
    spec.tolerations = [...(spec.tolerations ?? []), ...missing];
  }
}
