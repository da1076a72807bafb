import { forbidden, type StatusError } from "@gatehouse/envelopes";
import type { AuthorizationDecision, Authorizer } from "../authorization/authorizer.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import type { Stage } from "./stage.js";

/** Lets a request pass if some authorizer allows it; who has no say passes the question on; nobody's yes is a no. */
export function authorize(authorizers: readonly Authorizer[]): Stage {
  const ask = (
    context: RequestContext,
    index: number,
    reasons: readonly string[],
    next: Handler,
  ): MaybePromise<void> => {
    const authorizer = authorizers[index];
    if (authorizer === undefined) {
      throw deniedTo(context, reasons);
    }
    const answer = authorizer.authorize({ user: context.user, info: context.info });
    return answer instanceof Promise
      ? answer.then((late) => conclude(context, late, index + 1, reasons, next))
      : conclude(context, answer, index + 1, reasons, next);
  };
  const conclude = (
    context: RequestContext,
    answer: AuthorizationDecision,
    from: number,
    reasons: readonly string[],
    next: Handler,
  ): MaybePromise<void> => {
    if (answer.decision === "allow") {
      return next(context);
    }
    if (answer.decision === "deny") {
      throw deniedTo(context, [answer.reason]);
    }
    return ask(context, from, answer.reason === "" ? reasons : [...reasons, answer.reason], next);
  };
  return (context, next) => ask(context, 0, [], next);
}

function deniedTo(context: RequestContext, reasons: readonly string[]): StatusError {
  const { info, user } = context;
  const reason = reasons.join("\n");
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
