import type { RbacIndex } from "@gatehouse/policies";
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
      const { rules, problems } = index.rulesFor(user, namespace);
      const texts = [...new Set(problems)];
      return texts.length === 0
        ? { rules, incomplete: false }
        : { rules, incomplete: false, error: new Error(texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`) };
    },
  };
}
