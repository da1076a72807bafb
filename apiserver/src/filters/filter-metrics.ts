import type { Counter, Histogram, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";
import { type ObjectLabel, objectLabelNames, objectLabels } from "./request-labels.js";

/** The outcome of work that went on after its request had timed out. */
export type PostTimeoutStatus = "ok" | "error" | "pending";

/** The metrics of what filters do to requests: their time, and the requests that they end early. */
export interface FilterMetrics {
  readonly authentication: Histogram;
  readonly audit: Histogram;
  readonly impersonation: Histogram;
  readonly priorityAndFairness: Histogram;
  readonly authorization: Histogram;
  /** Counts a request whose answer the server broke off. */
  aborted(context: RequestContext): void;
  /** Counts the outcome of work that went on after its request had timed out. */
  postTimeout(status: PostTimeoutStatus): void;
}

const buckets = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30];

/** Registers the metrics of filters, under v1.29's names. */
export function filterMetrics(registry: MetricsRegistry): FilterMetrics {
  const durations = registry.histogram({
    name: "apiserver_request_filter_duration_seconds",
    help: "Time that requests spend in a filter, by filter.",
    labelNames: ["filter"],
    buckets,
  });
  const aborts: Labelled<ObjectLabel, Counter> = registry.counter({
    name: "apiserver_request_aborts_total",
    help: "Requests whose answer the server broke off.",
    labelNames: objectLabelNames,
  });
  const postTimeouts = registry.counter({
    name: "apiserver_request_post_timeout_total",
    help: "Outcomes of work that went on after its request had timed out.",
    labelNames: ["source", "status"],
  });
  return {
    authentication: durations.labels({ filter: "authentication" }),
    audit: durations.labels({ filter: "audit" }),
    impersonation: durations.labels({ filter: "impersonation" }),
    priorityAndFairness: durations.labels({ filter: "priorityandfairness" }),
    authorization: durations.labels({ filter: "authorization" }),
    aborted: (context) => aborts.labels(objectLabels(context, context.isKnownResource)).inc(),
    postTimeout: (status) => postTimeouts.labels({ source: "rest-handler", status }).inc(),
  };
}

/** Returns a filter that stands behind a measured one, and records its time. */
export function markFilter(duration: Histogram): Filter {
  return (context, next) => {
    const now = performance.now();
    duration.observe((now - context.filteredAtMs) / 1000);
    context.filteredAtMs = now;
    return next(context);
  };
}
