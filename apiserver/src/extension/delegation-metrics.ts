import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { MeasureReview } from "../review-webhooks/review-client.js";

/** Metrics of what an extension API server asks the API server in front. */
export interface DelegationMetrics {
  readonly tokenReviews: MeasureReview;
  readonly accessReviews: MeasureReview;
}

/** Upper bounds of the buckets in seconds, as in v1.29. */
const buckets = [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10];

/**
 * Registers the metrics of delegated authentication (`apiserver_delegated_authn_*`) and authorization
 * (`apiserver_delegated_authz_*`), under v1.29's names.
 */
export function delegationMetrics(registry: MetricsRegistry): DelegationMetrics {
  const measure = (subsystem: "authn" | "authz", reviews: string): MeasureReview => {
    const requests = registry.counter({
      name: `apiserver_delegated_${subsystem}_request_total`,
      help: `${reviews} that were asked for, by the status of the answer.`,
      labelNames: ["code"],
    });
    const durations = registry.histogram({
      name: `apiserver_delegated_${subsystem}_request_duration_seconds`,
      help: `Time in seconds until ${reviews} were answered, by the status of the answer.`,
      labelNames: ["code"],
      buckets,
    });
    return (code, seconds) => {
      requests.labels({ code }).inc();
      durations.labels({ code }).observe(seconds);
    };
  };
  return { tokenReviews: measure("authn", "TokenReviews"), accessReviews: measure("authz", "SubjectAccessReviews") };
}
