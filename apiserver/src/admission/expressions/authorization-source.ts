import type { AccessDecision, AccessQuestion, AuthorizationSource } from "@gatehouse/policies/cel";
import { serviceAccountGroups, serviceAccountUsername } from "../../authentication/service-account-user.js";
import type { AuthorizationDecision, Authorizer } from "../../authorization/authorizer.js";
import { type RequestInfo, unresolvedRequest } from "../../request/request-info.js";
import type { UserInfo } from "../../request/user-info.js";
import type { AdmissionAttributes } from "../attributes.js";

/** Returns the authorizer as expressions about a write ask it: for the user who writes, or for a service account. */
export function authorizationSource(
  authorizer: Authorizer,
  { user, signal }: Pick<AdmissionAttributes, "user" | "signal">,
): AuthorizationSource {
  return {
    check(question) {
      const { serviceAccount } = question;
      const asker = serviceAccount === undefined ? user : accountUser(serviceAccount);
      const answer = authorizer.authorize({ user: asker, info: infoOf(question), signal });
      return answer instanceof Promise ? answer.then(decisionOf) : decisionOf(answer);
    },
  };
}

/** Returns the user that a service account is. */
function accountUser({ namespace, name }: NonNullable<AccessQuestion["serviceAccount"]>): UserInfo {
  return { username: serviceAccountUsername(namespace, name), groups: serviceAccountGroups(namespace) };
}

function infoOf(question: AccessQuestion): RequestInfo {
  const { verb } = question;
  return question.isResource
    ? {
        ...unresolvedRequest,
        isResourceRequest: true,
        verb,
        apiPrefix: question.group === "" ? "api" : "apis",
        group: question.group,
        version: "*",
        namespace: question.namespace,
        resource: question.resource,
        subresource: question.subresource,
        name: question.name,
      }
    : { ...unresolvedRequest, verb, path: question.path };
}

function decisionOf({ decision, reason, error }: AuthorizationDecision): AccessDecision {
  return { allowed: decision === "allow", reason, error: error?.message };
}
