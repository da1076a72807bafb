import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { Authorizer } from "../authorization/authorizer.js";
import { webhookAuthorizer } from "../authorization/webhook/webhook-authorizer.js";
import type { MeasureReview } from "../review-webhooks/review-client.js";
import { alwaysAllowPaths } from "./always-allow-paths.js";
import { reviewsAt } from "./reviews-at.js";

/** The sources of delegated authorization. */
export interface DelegatedAuthorizationOptions {
  /** The API server in front, which reviews accesses; undefined where nothing but the paths below is allowed. */
  readonly accessReviews: ClientConfig | undefined;
  /** Paths that everybody may read, with `*` at the end for all that begin so. */
  readonly alwaysAllowPaths: readonly string[];
  /** The time in milliseconds for which a review that allows is kept. */
  readonly authorizedTtlMs: number;
  /** The time in milliseconds for which a review that does not is kept. */
  readonly unauthorizedTtlMs: number;
  /** Measures the reviews of accesses. */
  readonly measure: MeasureReview;
  readonly signal: AbortSignal;
}

/** The time limit of a SubjectAccessReview in milliseconds, as in v1.29. */
const reviewTimeoutMs = 10_000;

/**
 * Returns the authorizers of an extension API server, in the order of v1.29; that `system:masters` may do everything is
 * decided before. When the API server in front does not answer, a request is denied.
 */
export function delegatedAuthorizers(options: DelegatedAuthorizationOptions): readonly Authorizer[] {
  const { accessReviews, authorizedTtlMs, unauthorizedTtlMs, measure, signal } = options;
  const paths = options.alwaysAllowPaths.length === 0 ? [] : [alwaysAllowPaths(options.alwaysAllowPaths)];
  if (accessReviews === undefined) {
    return paths;
  }
  const reviews = webhookAuthorizer({
    client: reviewsAt(accessReviews, "authorization.k8s.io", "subjectaccessreviews"),
    version: "v1",
    authorizedTtlMs,
    unauthorizedTtlMs,
    timeoutMs: reviewTimeoutMs,
    decisionOnError: "noOpinion",
    measure,
    now: () => performance.now(),
    signal,
  });
  return [...paths, reviews];
}
