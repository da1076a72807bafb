import { compareQuantity, parseQuantity } from "@gatehouse/envelopes/codec";
import type { coreV1, gatehouseadmissionV1alpha1 } from "@gatehouse/envelopes/types";
import { podContainers } from "./pod-containers.js";
import type { Violation } from "./violation.js";

const usual: readonly string[] = ["cpu", "memory"];

/**
 * Finds containers of a pod without required limits, or with higher ones than allowed. Ephemeral ones cannot have
 * limits.
 */
export function resourceLimits(pod: coreV1.Pod, settings: gatehouseadmissionV1alpha1.ResourceLimits): Violation[] {
  const { required = usual, max = {} } = settings;
  return podContainers(pod)
    .filter(({ field }) => !field.startsWith("spec.ephemeralContainers"))
    .flatMap(({ field, container }) => {
      const limits: Readonly<Record<string, string | number | undefined>> =
        "resources" in container ? (container.resources?.limits ?? {}) : {};
      const missing = required
        .filter((resource) => !Object.hasOwn(limits, resource))
        .map((resource) => ({ field: `${field}.resources.limits.${resource}`, message: "is required" }));
      const excessive = Object.entries(max).flatMap(([resource, most]) => {
        const limit = Object.hasOwn(limits, resource) ? limits[resource] : undefined;
        return limit === undefined || compareQuantity(parseQuantity(String(limit)), parseQuantity(String(most))) <= 0
          ? []
          : [{ field: `${field}.resources.limits.${resource}`, message: `is ${limit}, must be at most ${most}` }];
      });
      return [...missing, ...excessive];
    });
}
