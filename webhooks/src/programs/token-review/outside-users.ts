import type { TokenVerdict } from "./token-verdict.js";

const reservedPrefix = "system:";

/**
 * Refuses users that no issuer outside of the cluster can vouch for: those without a name, and those with a name or
 * group that the API server itself gives a meaning. Otherwise a claim that its bearer can choose could make an
 * administrator.
 */
export function asOutsider(verdict: TokenVerdict): TokenVerdict {
  if (verdict.outcome !== "valid") {
    return verdict;
  }
  const { username, groups } = verdict.user;
  if (username === "") {
    return { outcome: "refused", reason: "the token names no user" };
  }
  const reserved = [username, ...groups].find((name) => name.startsWith(reservedPrefix));
  return reserved === undefined
    ? verdict
    : {
        outcome: "refused",
        reason: `the token claims ${JSON.stringify(reserved)}: names that begin with ${JSON.stringify(reservedPrefix)} are not for outsiders`,
      };
}
