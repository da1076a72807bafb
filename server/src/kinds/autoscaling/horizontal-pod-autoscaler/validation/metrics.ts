import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { sourceChecks } from "./metric-sources.js";

const types = ["ContainerResource", "External", "Object", "Pods", "Resource"];

/** Options for validating the metrics of an autoscaler. */
export interface MetricOptions {
  /** True if the minimum is zero replicas, which demands an Object or External metric. */
  readonly toZero: boolean;
  /** True if metrics of single containers are allowed (feature HPAContainerMetrics). */
  readonly containerMetrics: boolean;
}

/** Validates the metrics of an autoscaler. */
export function validateMetrics(
  metrics: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  options: MetricOptions,
): void {
  let measuresOthers = false;
  for (const [index, metric] of listAt({ metrics: metrics ?? null }, "metrics").entries()) {
    if (errors.isFull) {
      return;
    }
    validateMetric(metric, path.index(index), errors, options);
    measuresOthers ||= ["Object", "External"].includes(textAt(metric, "type"));
  }
  if (options.toZero && !measuresOthers) {
    errors.forbidden(path, "must specify at least one Object or External metric to support scaling to zero replicas");
  }
}

function validateMetric(metric: JsonValue, path: FieldPath, errors: FieldErrors, options: MetricOptions): void {
  const type = textAt(metric, "type");
  if (type === "") {
    errors.required(path.child("type"), "must specify a metric source type");
  }
  const isKnown = types.includes(type);
  if (!isKnown) {
    errors.notSupported(path.child("type"), type, types);
  }
  const present = Object.keys(sourceChecks).filter((name) => isSet(metric, name));
  // Only the first is validated: several sources are an error by themselves.
  const [first] = present;
  if (first !== undefined) {
    sourceChecks[first]?.(valueAt(metric, first), path.child(first), errors);
  }
  const expected = isKnown ? `${type.charAt(0).toLowerCase()}${type.slice(1)}` : "";
  if (!isKnown) {
    errors.notSupported(path.child("type"), type, types);
  } else if (!present.includes(expected)) {
    errors.required(path.child(expected), missingSource(expected, options));
  }
  if (present.length !== 1) {
    for (const name of present.filter((other) => other !== expected)) {
      errors.forbidden(path.child(name), "must populate the given metric source only");
    }
  }
}

function missingSource(name: string, { containerMetrics }: MetricOptions): string {
  const detail = "must populate information for the given metric source";
  return name === "containerResource" && !containerMetrics
    ? `${detail} (only allowed when HPAContainerMetrics feature is enabled)`
    : detail;
}
