import { AbacIndex } from "../abac/abac-index.js";
import { parseAbacFile } from "../abac/parse-abac-file.js";
import type { AccessUser, RequestedAccess } from "../access/requested-access.js";
import { compileDenials } from "../denials/compile-denials.js";
import { bindingSpecOf, policyRulesOf } from "../rbac/policy-rule.js";
import { RbacIndex } from "../rbac/rbac-index.js";
import { withAggregatedRules } from "./aggregated-roles.js";
import type { AuthorizationRules, RbacObject } from "./authorization-rules.js";

/** The verdict of the rules about a request. `noOpinion` leaves it to other authorizers. */
export interface AccessVerdict {
  readonly decision: "allowed" | "denied" | "noOpinion";
  /** The rule that has decided, with the reason of a denial; empty for no opinion. */
  readonly reason: string;
}

/** Compiled rules, which decide about requests. */
export interface CompiledAuthorizationRules {
  decide(user: AccessUser, access: RequestedAccess): AccessVerdict;
}

/** Makes rules ready. They must have been checked by `authorizationRulesProblems`. */
export function compileAuthorizationRules(document: AuthorizationRules): CompiledAuthorizationRules {
  const denials = compileDenials(document.denials ?? []);
  const rbac = indexOf(document.rbac ?? []);
  const abac = new AbacIndex(parseAbacFile(document.abac ?? "").policies);
  return {
    decide(user, access) {
      const denial = denials.find(user, access);
      if (denial !== undefined) {
        return { decision: "denied", reason: `denied by ${JSON.stringify(denial.name)}: ${denial.reason}` };
      }
      const verdict = rbac.decide(user, access);
      if (verdict.allowed) {
        return { decision: "allowed", reason: verdict.reason };
      }
      const policy = abac.find(user, access);
      return policy === undefined
        ? { decision: "noOpinion", reason: verdict.reason }
        : { decision: "allowed", reason: `ABAC: allowed by line ${policy.line}` };
    },
  };
}

function indexOf(objects: readonly RbacObject[]): RbacIndex {
  const index = new RbacIndex();
  for (const object of withAggregatedRules(objects)) {
    const { name = "", namespace = "" } = object.metadata ?? {};
    if (object.kind === "Role" || object.kind === "ClusterRole") {
      index.setRole(namespace, name, policyRulesOf(object));
    } else {
      index.setBinding(bindingSpecOf(object, namespace, name));
    }
  }
  return index;
}
