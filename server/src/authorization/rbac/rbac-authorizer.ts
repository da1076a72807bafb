import { missingRolesText, type RbacIndex } from "@gatehouse/policies";
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
    rulesFor(user, namespace) {
      const { rules, missing } = index.rulesFor(user, namespace);
      return missing.length === 0
        ? { rules, incomplete: false }
        : { rules, incomplete: false, error: new Error(missingRolesText(missing, "kind")) };
    },
  };
}
