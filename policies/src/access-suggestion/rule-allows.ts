import type { rbacV1 } from "@gatehouse/envelopes/types";
import type { RequestedAccess } from "../access/requested-access.js";
import { policyRulesOf } from "../rbac/policy-rule.js";
import { ruleAllows as allows } from "../rbac/rule-match.js";
import { type AuditedAccess, isPathAccess } from "./audited-access.js";

/** Reports whether an RBAC rule allows an access. The namespace does not count: it depends on the binding. */
export function ruleAllows(rule: rbacV1.PolicyRule, access: AuditedAccess): boolean {
  const requested = requestedAccessOf(access);
  return policyRulesOf({ rules: [rule] }).some((read) => allows(read, requested));
}

/** Returns the question that the authorizer was asked. */
function requestedAccessOf(access: AuditedAccess): RequestedAccess {
  const { verb } = access;
  if (isPathAccess(access)) {
    const { path } = access;
    return { isResourceRequest: false, verb, path, group: "", resource: "", subresource: "", namespace: "", name: "" };
  }
  const { apiGroup: group, namespace, name } = access;
  const [resource = "", subresource = ""] = access.resource.split("/");
  return { isResourceRequest: true, verb, path: "", group, resource, subresource, namespace, name };
}
