import type { Counter, Histogram, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";
import { WebhookDenialError, WebhookFailedError } from "./webhook-failure.js";

/** Names of the two types of webhooks in v1.29's metrics. */
export type WebhookType = "admit" | "validating";

/** A call of a webhook that has ended. */
export interface ObservedCall {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: string;
  readonly seconds: number;
  readonly error: unknown;
  /** True if a failure of the call does not stop the write. */
  readonly isIgnored: boolean;
}

/** The counters of webhook calls, for both types together. */
export interface WebhookMetrics {
  called(call: ObservedCall): void;
  failedOpen(name: string, type: WebhookType): void;
}

const byRegistry = new WeakMap<MetricsRegistry, WebhookMetrics>();

/** Returns the metrics of a registry; both plugins share them. */
export function webhookMetrics(registry: MetricsRegistry): WebhookMetrics {
  let metrics = byRegistry.get(registry);
  if (metrics === undefined) {
    metrics = new RegisteredWebhookMetrics(registry);
    byRegistry.set(registry, metrics);
  }
  return metrics;
}

class RegisteredWebhookMetrics implements WebhookMetrics {
  readonly #durations: Labelled<"name" | "type" | "operation" | "rejected", Histogram>;
  readonly #requests: Labelled<"name" | "type" | "operation" | "code" | "rejected", Counter>;
  readonly #rejections: Labelled<"name" | "type" | "operation" | "error_type" | "rejection_code", Counter>;
  readonly #failedOpen: Labelled<"name" | "type", Counter>;

  constructor(registry: MetricsRegistry) {
    this.#durations = registry.histogram({
      name: "apiserver_admission_webhook_admission_duration_seconds",
      stability: "STABLE",
      help: "Time that calls of admission webhooks took, by webhook, type and operation.",
      labelNames: ["name", "type", "operation", "rejected"],
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
    });
    this.#requests = registry.counter({
      name: "apiserver_admission_webhook_request_total",
      help: "Calls of admission webhooks, by webhook, type, operation and code; codes above 600 count as 600.",
      labelNames: ["name", "type", "operation", "code", "rejected"],
    });
    this.#rejections = registry.counter({
      name: "apiserver_admission_webhook_rejection_count",
      help: "Writes that admission webhooks have stopped, by whose fault that is and by code.",
      labelNames: ["name", "type", "operation", "error_type", "rejection_code"],
    });
    this.#failedOpen = registry.counter({
      name: "apiserver_admission_webhook_fail_open_count",
      help: "Writes that went on though an admission webhook could not be asked.",
      labelNames: ["name", "type"],
    });
  }

  called({ name, type, operation, seconds, error, isIgnored }: ObservedCall): void {
    const { errorType, code } = outcomeOf(error);
    const isRejected = error !== undefined && !(isIgnored && errorType === "calling_webhook_error");
    const rejected = String(isRejected);
    this.#requests.labels({ name, type, operation, code, rejected }).inc();
    this.#durations.labels({ name, type, operation, rejected }).observe(seconds);
    if (isRejected && !(error instanceof WebhookFailedError && error.wasAborted)) {
      this.#rejections.labels({ name, type, operation, error_type: errorType, rejection_code: code }).inc();
    }
  }

  failedOpen(name: string, type: WebhookType): void {
    this.#failedOpen.labels({ name, type }).inc();
  }
}

function outcomeOf(error: unknown): { readonly errorType: string; readonly code: string } {
  if (error === undefined) {
    return { errorType: "", code: "200" };
  }
  if (error instanceof WebhookFailedError) {
    return { errorType: "calling_webhook_error", code: bounded(error.code) };
  }
  if (error instanceof WebhookDenialError) {
    return { errorType: "no_error", code: bounded(error.code) };
  }
  return { errorType: "apiserver_internal_error", code: "0" };
}

function bounded(code: number): string {
  return String(Math.min(code, 600));
}
