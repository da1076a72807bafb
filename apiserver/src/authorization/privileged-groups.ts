import type { AuthorizationDecision, Authorizer } from "./authorizer.js";

/** The group that may do everything, whatever the authorizers say: who guards the cluster must not lock themselves out. */
export const mastersGroup = "system:masters";

const allow: AuthorizationDecision = Object.freeze({ decision: "allow", reason: "" });
const noOpinion: AuthorizationDecision = Object.freeze({ decision: "noOpinion", reason: "" });

/** Allows everything to the members of these groups, and has no say about others. Asked first, as in v1.29. */
export function privilegedGroups(groups: readonly string[]): Authorizer {
  return {
    authorize: ({ user }) => (user.groups.some((group) => groups.includes(group)) ? allow : noOpinion),
  };
}
