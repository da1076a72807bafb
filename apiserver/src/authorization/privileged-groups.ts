import type { AuthorizationDecision, Authorizer } from "./authorizer.js";

/**
 * The group that may do everything, whatever the authorizers decide, so that administrators cannot lock themselves out.
 */
export const mastersGroup = "system:masters";

const allow: AuthorizationDecision = Object.freeze({ decision: "allow", reason: "" });
const noOpinion: AuthorizationDecision = Object.freeze({ decision: "noOpinion", reason: "" });

/**
 * Returns an authorizer that allows everything to members of these groups, and has no opinion about others. Asked
 * first, as in v1.29.
 */
export function privilegedGroups(groups: readonly string[]): Authorizer {
  return {
    authorize: ({ user }) => (user.groups.some((group) => groups.includes(group)) ? allow : noOpinion),
  };
}
