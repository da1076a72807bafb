import { closestRules, missingRolesText, nearRuleText, type RbacIndex, ruleText } from "@gatehouse/policies";
import type { AuthorizationDecision, Authorizer } from "../authorizer.js";

const noOpinion: AuthorizationDecision = Object.freeze({ decision: "noOpinion", reason: "" });

/** `--authorization-mode=RBAC`: roles allow, and say nothing against what none of them allows. */
export function rbacAuthorizer(index: RbacIndex): Authorizer {
  return {
    authorize({ user, info }) {
      const { allowed, reason } = index.decide(user, info);
      if (allowed) {
        return { decision: "allow", reason };
      }
      return reason === "" ? noOpinion : { decision: "noOpinion", reason };
    },
    explain({ user, info }, { decision, reason }) {
      const verdict = index.decide(user, info);
      if (decision === "allow" && verdict.reason !== reason) {
        return undefined; // Somebody else was asked first.
      }
      if (verdict.allowed) {
        const { binding, rule } = verdict.grant;
        return `${binding.describe(user)}: rule ${ruleText(rule)}`;
      }
      const near = closestRules(index, user, info, { limit: 3, maxRules: 2000 });
      return near.length === 0 ? undefined : near.map(nearRuleText).join("\n");
    },
    rulesFor(user, namespace) {
      const { rules, missing } = index.rulesFor(user, namespace);
      return missing.length === 0
        ? { rules, incomplete: false }
        : { rules, incomplete: false, error: new Error(missingRolesText(missing, "kind")) };
    },
  };
}
