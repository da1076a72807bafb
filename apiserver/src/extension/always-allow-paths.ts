import type { AuthorizationDecision, Authorizer } from "../authorization/authorizer.js";

const allow: AuthorizationDecision = Object.freeze({ decision: "allow", reason: "" });
const noOpinion: AuthorizationDecision = Object.freeze({ decision: "noOpinion", reason: "" });

/** Returns the problem of a path in `--authorization-always-allow-paths`, in v1.29's words; undefined for none. */
export function alwaysAllowPathProblem(path: string): string | undefined {
  const star = path.indexOf("*");
  return star >= 0 && star < path.length - 1 ? `only trailing * allowed in ${JSON.stringify(path)}` : undefined;
}

/**
 * Returns an authorizer that allows everybody every verb on some paths that are no resources: exact ones, or those that
 * begin so where a path ends with `*`. A slash at the beginning may be left out.
 */
export function alwaysAllowPaths(paths: readonly string[]): Authorizer {
  const plain = paths.map((path) => path.replace(/^\//, ""));
  const exact = new Set(plain.filter((path) => !path.endsWith("*")));
  const prefixes = plain.filter((path) => path.endsWith("*")).map((path) => path.slice(0, -1));
  return {
    authorize({ info }) {
      if (info.isResourceRequest) {
        return noOpinion;
      }
      const path = info.path.replace(/^\//, "");
      return exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix)) ? allow : noOpinion;
    },
  };
}
