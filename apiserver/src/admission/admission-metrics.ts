import type { Histogram, Labelled, MetricsRegistry, Summary } from "@gatehouse/component-base";
import type { Operation } from "./attributes.js";

/** The two phases, as metrics call them. */
export type Phase = "admit" | "validate";

/** Told how long something took, and whether the write was refused there. */
export type Observe = (seconds: number, isRejected: boolean) => void;

/** What is measured of the chain: how long each plugin took, and all of them together. Asked once for each sort of write. */
export interface AdmissionMetrics {
  plugin(name: string, phase: Phase, operation: Operation): Observe;
  step(phase: Phase, operation: Operation): Observe;
}

/** Where nobody measures. */
export const unmeasured: AdmissionMetrics = { plugin: () => () => {}, step: () => () => {} };

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

/** A series for each outcome, made with the first: what has not happened is not shown. */
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
