import { closestRules, missingRolesText, nearRuleText, type RbacIndex, ruleText } from "@gatehouse/policies/rbac";
import type { UserInfo } from "../../request/user-info.js";
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer, KnownRules } from "../authorizer.js";
import type { RbacRules } from "./rbac-rules.js";

const noOpinion: AuthorizationDecision = Object.freeze({ decision: "noOpinion", reason: "" });

/** Returns the authorizer of `--authorization-mode=RBAC`: roles allow, and deny nothing. */
export function rbacAuthorizer(rules: RbacRules): Authorizer {
  return {
    authorize(attributes) {
      const index = rules.indexFor(attributes.info.namespace);
      return index instanceof Promise ? index.then((late) => decide(late, attributes)) : decide(index, attributes);
    },
    explain({ user, info }, { decision, reason }) {
      const index = rules.latest;
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
    rulesFor: async (user, namespace) => heldRules(await rules.indexFor(namespace), user, namespace),
  };
}

function decide(index: RbacIndex, { user, info }: AuthorizationAttributes): AuthorizationDecision {
  const { allowed, reason } = index.decide(user, info);
  if (allowed) {
    return { decision: "allow", reason };
  }
  return reason === "" ? noOpinion : { decision: "noOpinion", reason };
}

function heldRules(index: RbacIndex, user: UserInfo, namespace: string): KnownRules {
  const { rules, missing } = index.rulesFor(user, namespace);
  return missing.length === 0
    ? { rules, incomplete: false }
    : { rules, incomplete: false, error: new Error(missingRolesText(missing, "kind")) };
}
