import type { Histogram, Labelled, MetricsRegistry, Summary } from "@gatehouse/component-base";
import type { Operation } from "./attributes.js";

/** The two phases, as metrics call them. */
export type Phase = "admit" | "validate";

/** What is measured of the chain: how long each plugin took, and all of them together. */
export interface AdmissionMetrics {
  plugin(name: string, phase: Phase, operation: Operation, seconds: number, isRejected: boolean): void;
  step(phase: Phase, operation: Operation, seconds: number, isRejected: boolean): void;
}

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const summaryMaxAgeMs = 5 * 60 * 60 * 1000;

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
  const summary: Labelled<"type" | "operation" | "rejected", Summary> = registry.summary({
    name: "apiserver_admission_step_admission_duration_seconds_summary",
    help: "Time that a phase of admission took in the last five hours, by phase and operation.",
    labelNames: ["type", "operation", "rejected"],
    maxAgeMs: summaryMaxAgeMs,
  });
  const controllers = new Map<string, Histogram>();
  const steps = new Map<string, { readonly step: Histogram; readonly summary: Summary }>();
  return {
    plugin(name, type, operation, seconds, isRejected) {
      const key = `${name}/${type}/${operation}/${isRejected}`;
      kept(controllers, key, () => controller.labels({ name, type, operation, rejected: String(isRejected) })).observe(
        seconds,
      );
    },
    step(type, operation, seconds, isRejected) {
      const key = `${type}/${operation}/${isRejected}`;
      const labels = { type, operation, rejected: String(isRejected) };
      const series = kept(steps, key, () => ({ step: step.labels(labels), summary: summary.labels(labels) }));
      series.step.observe(seconds);
      series.summary.observe(seconds);
    },
  };
}

/** To find a series by its labels costs more than to count. */
function kept<T>(series: Map<string, T>, key: string, make: () => T): T {
  let found = series.get(key);
  if (found === undefined) {
    found = make();
    series.set(key, found);
  }
  return found;
}
