import { goQuote } from "@gatehouse/envelopes";
import type { AuthorizationDecision, Authorizer } from "../authorization/authorizer.js";
import { sendText } from "../http/responder.js";
import type { AuditTrail } from "../request/audit-trail.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { deniedTo, escaped } from "./denied-to.js";
import type { Stage } from "./stage.js";

/** Lets a request pass if the authorizer allows it; no opinion is a no. */
export function authorize(authorizer: Authorizer): Stage {
  const conclude = (context: RequestContext, answer: AuthorizationDecision, next: Handler): MaybePromise<void> => {
    if (context.audit !== undefined) {
      annotate(context, context.audit, authorizer, answer);
    }
    if (answer.decision === "allow") {
      return next(context);
    }
    if (answer.error !== undefined) {
      return failed(context, answer.error);
    }
    throw deniedTo(context, answer.reason);
  };
  return (context, next) => {
    const answer = authorizer.authorize(context);
    return answer instanceof Promise
      ? answer.then((late) => conclude(context, late, next))
      : conclude(context, answer, next);
  };
}

/** What v1.29 tells the audit log, and of what was decided by rules which one it was, or which came closest. */
function annotate(
  context: RequestContext,
  audit: AuditTrail,
  authorizer: Authorizer,
  { decision, reason, error }: AuthorizationDecision,
): void {
  const isAllowed = decision === "allow";
  if (!isAllowed && error !== undefined) {
    audit.annotate("authorization.k8s.io/reason", "internal error");
    return;
  }
  audit.annotate("authorization.k8s.io/decision", isAllowed ? "allow" : "forbid");
  audit.annotate("authorization.k8s.io/reason", reason);
  const why = authorizer.explain?.(context);
  if (why !== undefined) {
    audit.annotate(`why.authorization.gatehouse.dev/${isAllowed ? "rule" : "closest"}`, why);
  }
}

/** Nobody has allowed it, and somebody could not be asked who might have. v1.29 says so in plain text. */
function failed(context: RequestContext, error: Error): MaybePromise<void> {
  const text = `Internal Server Error: ${goQuote(context.exchange.target)}: ${error.message}`;
  context.setHeader("X-Content-Type-Options", "nosniff");
  return sendText(context, 500, `${text.replaceAll(/[&<>]/g, escaped)}\n`);
}
