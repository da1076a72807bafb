import { forbidden, type StatusError } from "@gatehouse/envelopes";
import type { AuthorizationDecision, Authorizer } from "../authorization/authorizer.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import type { Stage } from "./stage.js";

/** Lets a request pass if the authorizer allows it; no opinion is a no. */
export function authorize(authorizer: Authorizer): Stage {
  const conclude = (context: RequestContext, answer: AuthorizationDecision, next: Handler): MaybePromise<void> => {
    context.annotate("authorization.k8s.io/decision", answer.decision === "allow" ? "allow" : "forbid");
    context.annotate("authorization.k8s.io/reason", answer.reason);
    if (answer.decision !== "allow") {
      throw deniedTo(context, answer.reason);
    }
    return next(context);
  };
  return (context, next) => {
    const answer = authorizer.authorize({ user: context.user, info: context.info });
    return answer instanceof Promise
      ? answer.then((late) => conclude(context, late, next))
      : conclude(context, answer, next);
  };
}

function deniedTo(context: RequestContext, reason: string): StatusError {
  const { info, user } = context;
  const access = `User ${JSON.stringify(user.username)} cannot ${describeAccess(info)}`.replaceAll(/[&<>]/g, escaped);
  // As v1.29 has it: the text shows what the client sent, and must not become a page in a browser.
  context.setHeader("X-Content-Type-Options", "nosniff");
  return forbidden(info, info.name, reason === "" ? access : `${access}: ${reason}`);
}

function escaped(character: string): string {
  return character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;";
}

function describeAccess(info: RequestInfo): string {
  if (!info.isResourceRequest) {
    return `${info.verb} path ${JSON.stringify(info.path)}`;
  }
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const where = info.namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(info.namespace)}`;
  return `${info.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(info.group)} ${where}`;
}
