import type { rbacV1 } from "@gatehouse/envelopes/types";
import type { AuthorizationSource } from "@gatehouse/policies/cel";
import { type PolicyRule, policyRulesOf, ruleAllows } from "@gatehouse/policies/rbac";

/** Returns an authorizer by which a user has the rights of rules in all namespaces. Service accounts have none. */
export function accessOfRules(rules: readonly rbacV1.PolicyRule[]): AuthorizationSource {
  const read: readonly PolicyRule[] = policyRulesOf({ rules });
  return {
    check(question) {
      const { verb, serviceAccount } = question;
      const access = question.isResource
        ? { ...question, isResourceRequest: true, path: "" }
        : { ...noResource, isResourceRequest: false, path: question.path };
      const allowed = serviceAccount === undefined && read.some((rule) => ruleAllows(rule, { ...access, verb }));
      return { allowed, reason: "", error: undefined };
    },
  };
}

const noResource = { group: "", resource: "", subresource: "", namespace: "", name: "" };
