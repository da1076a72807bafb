import type { Histogram, Labelled, MetricsRegistry } from "@gatehouse/component-base";
import type { Operation } from "./attributes.js";

/** The two phases, as metrics call them. */
export type Phase = "admit" | "validate";

/** What is measured of the chain: how long each plugin took, and all of them together. */
export interface AdmissionMetrics {
  plugin(name: string, phase: Phase, operation: Operation, seconds: number, isRejected: boolean): void;
  step(phase: Phase, operation: Operation, seconds: number, isRejected: boolean): void;
}

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** The metrics of a registry, under v1.29's names. */
export function admissionMetrics(registry: MetricsRegistry): AdmissionMetrics {
  const controller: Labelled<"name" | "type" | "operation" | "rejected", Histogram> = registry.histogram({
    name: "apiserver_admission_controller_admission_duration_seconds",
    help: "Time that admission plugins took, by plugin, phase and operation.",
    labelNames: ["name", "type", "operation", "rejected"],
    buckets,
  });
  const step: Labelled<"type" | "operation" | "rejected", Histogram> = registry.histogram({
    name: "apiserver_admission_step_admission_duration_seconds",
    help: "Time that a phase of admission took, by phase and operation.",
    labelNames: ["type", "operation", "rejected"],
    buckets,
  });
  const controllers = new Map<string, Histogram>();
  const steps = new Map<string, Histogram>();
  return {
    plugin(name, type, operation, seconds, isRejected) {
      const key = `${name}/${type}/${operation}/${isRejected}`;
      kept(controllers, key, () => controller.labels({ name, type, operation, rejected: String(isRejected) })).observe(
        seconds,
      );
    },
    step(type, operation, seconds, isRejected) {
      const key = `${type}/${operation}/${isRejected}`;
      kept(steps, key, () => step.labels({ type, operation, rejected: String(isRejected) })).observe(seconds);
    },
  };
}

/** To find a series by its labels costs more than to count. */
function kept(series: Map<string, Histogram>, key: string, make: () => Histogram): Histogram {
  let found = series.get(key);
  if (found === undefined) {
    found = make();
    series.set(key, found);
  }
  return found;
}
