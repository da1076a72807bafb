import type { MayDo } from "../admission/may-do.js";
import type { AuthorizationDecision, Authorizer } from "../authorization/authorizer.js";
import { unresolvedRequest } from "../request/request-info.js";

/** Returns a function by which plugins ask whether a user may do something other than the request. */
export function askAuthorizer(authorizer: Authorizer): MayDo {
  return ({ user, verb, group, resource, version = "*", subresource = "", namespace = "", name = "" }) => {
    const answer = authorizer.authorize({
      user,
      info: {
        ...unresolvedRequest,
        isResourceRequest: true,
        verb,
        apiPrefix: group === "" ? "api" : "apis",
        group,
        version,
        namespace,
        resource,
        subresource,
        name,
      },
    });
    return answer instanceof Promise ? answer.then(verdict) : verdict(answer);
  };
}

function verdict({ decision, reason, error }: AuthorizationDecision): {
  readonly isAllowed: boolean;
  readonly reason: string;
} {
  if (decision !== "allow" && error !== undefined) {
    throw error;
  }
  return { isAllowed: decision === "allow", reason };
}
