import type { Histogram, Labelled, MetricsRegistry, Summary } from "@gatehouse/component-base/metrics";
import type { Operation } from "./attributes.js";

/** The two phases, as metrics name them. */
export type Phase = "admit" | "validate";

/** Called with the seconds that something took, and with whether the write was refused there. */
export type Observe = (seconds: number, isRejected: boolean) => void;

/** The observers of the chain: one for each plugin, one for a whole phase. Requested once for each sort of write. */
export interface AdmissionMetrics {
  plugin(name: string, phase: Phase, operation: Operation): Observe;
  step(phase: Phase, operation: Operation): Observe;
}

/** The metrics of a chain that nobody measures. */
export const unmeasured: AdmissionMetrics = { plugin: () => () => {}, step: () => () => {} };

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const summaryMaxAgeMs = 5 * 60 * 60 * 1000;

/** Returns the metrics of a registry, under v1.29's names. */
export function admissionMetrics(registry: MetricsRegistry): AdmissionMetrics {
  const controller: Labelled<"name" | "type" | "operation" | "rejected", Histogram> = registry.histogram({
    name: "apiserver_admission_controller_admission_duration_seconds",
    stability: "STABLE",
    help: "Time that admission plugins took, by plugin, phase and operation.",
    labelNames: ["name", "type", "operation", "rejected"],
    buckets,
  });
  const step: Labelled<"type" | "operation" | "rejected", Histogram> = registry.histogram({
    name: "apiserver_admission_step_admission_duration_seconds",
    stability: "STABLE",
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
  return {
    plugin(name, type, operation) {
      const series = byOutcome((rejected) => controller.labels({ name, type, operation, rejected }));
      return (seconds, isRejected) => series(isRejected).observe(seconds);
    },
    step(type, operation) {
      const series = byOutcome((rejected) => {
        const labels = { type, operation, rejected };
        return { step: step.labels(labels), summary: summary.labels(labels) };
      });
      return (seconds, isRejected) => {
        const found = series(isRejected);
        found.step.observe(seconds);
        found.summary.observe(seconds);
      };
    },
  };
}

/**
 * Returns a function that makes a series for each outcome with the first of it: outcomes that never happened are not
 * shown.
 */
function byOutcome<T>(make: (rejected: "true" | "false") => T): (isRejected: boolean) => T {
  let accepted: T | undefined;
  let rejected: T | undefined;
  return (isRejected) => {
    if (isRejected) {
      rejected ??= make("true");
      return rejected;
    }
    accepted ??= make("false");
    return accepted;
  };
}
