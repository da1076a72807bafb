import type { TokenVerdict } from "./token-verdict.js";

const reservedPrefix = "system:";

/**
 * Refuses users whom no issuer outside of the cluster can vouch for: without a name, or with a name or group that means
 * something to the API server itself. A claim that its bearer can choose would else make an administrator.
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
