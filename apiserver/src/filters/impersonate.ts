import { type ImpersonatedPart, readImpersonation } from "../authentication/impersonation.js";
import type { AuthorizationDecision, Authorizer } from "../authorization/authorizer.js";
import { sendText } from "../http/responder.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import { deniedTo } from "./denied-to.js";
import type { Filter } from "./filter.js";

/**
 * Lets a client impersonate another identity, if it may impersonate each part of it. A client that says `--as` expects
 * to be able to do less: behind this filter its own rights are not used.
 */
export function impersonate(authorizer: Authorizer): Filter {
  const askFrom = (
    context: RequestContext,
    parts: readonly ImpersonatedPart[],
    next: () => MaybePromise<void>,
    index = 0,
  ): MaybePromise<void> => {
    const part = parts[index];
    if (part === undefined) {
      return next();
    }
    const info = infoOf(part);
    const conclude = ({ decision, reason }: AuthorizationDecision): MaybePromise<void> => {
      if (decision !== "allow") {
        throw deniedTo(context, reason, info);
      }
      return askFrom(context, parts, next, index + 1);
    };
    const answer = authorizer.authorize({ user: context.user, info });
    return answer instanceof Promise ? answer.then(conclude) : conclude(answer);
  };

  return (context: RequestContext, next: Handler) => {
    const impersonation = readImpersonation(context.exchange);
    if (impersonation === undefined) {
      return next(context);
    }
    const { parts, user } = impersonation;
    if (user === undefined) {
      return sayThatNobodyIsNamed(context, parts);
    }
    return askFrom(context, parts, () => {
      removeHeaders(context);
      context.user = user;
      return next(context);
    });
  };
}

/** Returns the attributes by which an authorizer is asked whether a part of a user may be impersonated. */
function infoOf({ resource, group, namespace, name, subresource }: ImpersonatedPart): RequestInfo {
  return {
    isResourceRequest: true,
    path: "",
    verb: "impersonate",
    apiPrefix: group === "" ? "api" : "apis",
    group,
    version: group === "" ? "" : "v1",
    namespace,
    resource,
    subresource,
    name,
    parts: [],
    rest: "",
  };
}

function removeHeaders({ exchange }: RequestContext): void {
  for (const name of exchange.headerNames((sent) => /^impersonate-(user$|group$|uid$|extra-)/.test(sent))) {
    delete exchange.headers[name];
  }
}

const goKinds: Readonly<Record<ImpersonatedPart["resource"], string>> = {
  users: "User",
  serviceaccounts: "ServiceAccount",
  groups: "Group",
  userextras: "UserExtra",
  uids: "UID",
};

/** Answers 500 with v1.29's text, which takes the client's mistake for its own. */
function sayThatNobodyIsNamed(context: RequestContext, parts: readonly ImpersonatedPart[]): void {
  const asked = parts.map(({ resource, namespace, name, group, subresource }) => {
    const apiVersion = group === "" ? "" : `${group}/v1`;
    return `{${goKinds[resource]} ${namespace} ${name}  ${apiVersion}  ${subresource}}`;
  });
  const target = context.exchange.target.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  context.setHeader("X-Content-Type-Options", "nosniff");
  const problem = `requested [${asked.join(" ")}] without impersonating a user`;
  sendText(context, 500, `Internal Server Error: ${JSON.stringify(target)}: ${problem}\n`);
}
