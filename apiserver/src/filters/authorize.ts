import type { AuthorizationMetrics } from "../authorization/authorization-metrics.js";
import type { AuthorizationDecision, Authorizer } from "../authorization/authorizer.js";
import type { AuditTrail } from "../request/audit-trail.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { deniedTo } from "./denied-to.js";
import type { Filter } from "./filter.js";
import type { FilterMetrics } from "./filter-metrics.js";
import { sendInternalError } from "./send-internal-error.js";

/** Passes a request if the authorizer allows it, and denies it otherwise, also for no opinion. */
export function authorize(
  authorizer: Authorizer,
  metrics: AuthorizationMetrics,
  filterMetrics: Pick<FilterMetrics, "authorization">,
): Filter {
  const conclude = (
    context: RequestContext,
    answer: AuthorizationDecision,
    askedAtMs: number,
    next: Handler,
  ): MaybePromise<void> => {
    const seconds = (performance.now() - askedAtMs) / 1000;
    metrics.attempt(answer, seconds);
    filterMetrics.authorization.observe(seconds);
    if (context.audit !== undefined) {
      annotate(context, context.audit, authorizer, answer);
    }
    if (answer.decision === "allow") {
      return next(context);
    }
    if (answer.error !== undefined) {
      // Somebody could not be asked who might have allowed it.
      return sendInternalError(context, answer.error);
    }
    throw deniedTo(context, answer.reason);
  };
  return (context, next) => {
    const askedAtMs = performance.now();
    const answer = authorizer.authorize(context);
    return answer instanceof Promise
      ? answer.then((late) => conclude(context, late, askedAtMs, next))
      : conclude(context, answer, askedAtMs, next);
  };
}

/** Adds v1.29's audit annotations about the decision, and the rule that decided or came closest. */
function annotate(
  context: RequestContext,
  audit: AuditTrail,
  authorizer: Authorizer,
  answer: AuthorizationDecision,
): void {
  const { decision, reason, error } = answer;
  const isAllowed = decision === "allow";
  if (!isAllowed && error !== undefined) {
    audit.annotate("authorization.k8s.io/reason", "internal error");
    return;
  }
  audit.annotate("authorization.k8s.io/decision", isAllowed ? "allow" : "forbid");
  audit.annotate("authorization.k8s.io/reason", reason);
  const why = authorizer.explain?.(context, answer);
  if (why !== undefined) {
    audit.annotate(`why.authorization.gatehouse.dev/${isAllowed ? "rule" : "closest"}`, why);
  }
}
