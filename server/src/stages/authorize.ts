import { forbidden, goQuote, type StatusError } from "@gatehouse/envelopes";
import type { AuthorizationDecision, Authorizer } from "../authorization/authorizer.js";
import { sendText } from "../http/responder.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import type { Stage } from "./stage.js";

/** Lets a request pass if the authorizer allows it; no opinion is a no. */
export function authorize(authorizer: Authorizer): Stage {
  const conclude = (context: RequestContext, answer: AuthorizationDecision, next: Handler): MaybePromise<void> => {
    if (answer.decision === "allow") {
      annotate(context, "allow", answer.reason);
      return next(context);
    }
    if (answer.error !== undefined) {
      context.annotate(`${annotationPrefix}reason`, "internal error");
      return failed(context, answer.error);
    }
    annotate(context, "forbid", answer.reason);
    throw deniedTo(context, answer.reason);
  };
  return (context, next) => {
    const answer = authorizer.authorize({ user: context.user, info: context.info });
    return answer instanceof Promise
      ? answer.then((late) => conclude(context, late, next))
      : conclude(context, answer, next);
  };
}

const annotationPrefix = "authorization.k8s.io/";

function annotate(context: RequestContext, decision: "allow" | "forbid", reason: string): void {
  context.annotate(`${annotationPrefix}decision`, decision);
  context.annotate(`${annotationPrefix}reason`, reason);
}

/** Nobody has allowed it, and somebody could not be asked who might have. v1.29 says so in plain text. */
function failed(context: RequestContext, error: Error): MaybePromise<void> {
  const text = `Internal Server Error: ${goQuote(context.exchange.target)}: ${error.message}`;
  context.setHeader("X-Content-Type-Options", "nosniff");
  return sendText(context, 500, `${text.replaceAll(/[&<>]/g, escaped)}\n`);
}

function deniedTo(context: RequestContext, reason: string): StatusError {
  const { info, user } = context;
  const access = `User ${goQuote(user.username)} cannot ${describeAccess(info)}`.replaceAll(/[&<>]/g, escaped);
  // As v1.29 has it: the text shows what the client sent, and must not become a page in a browser.
  context.setHeader("X-Content-Type-Options", "nosniff");
  return forbidden(info, info.name, reason === "" ? access : `${access}: ${reason}`);
}

function escaped(character: string): string {
  return character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;";
}

function describeAccess(info: RequestInfo): string {
  if (!info.isResourceRequest) {
    return `${info.verb} path ${goQuote(info.path)}`;
  }
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const where = info.namespace === "" ? "at the cluster scope" : `in the namespace ${goQuote(info.namespace)}`;
  return `${info.verb} resource ${goQuote(resource)} in API group ${goQuote(info.group)} ${where}`;
}
