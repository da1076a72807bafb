import type { AuthorizationDecision, Authorizer } from "./authorizer.js";

const allow: AuthorizationDecision = Object.freeze({ decision: "allow", reason: "" });
const noOpinion: AuthorizationDecision = Object.freeze({ decision: "noOpinion", reason: "Everything is forbidden." });

const everything = ["*"];
const nothing: readonly string[] = [];
const everyRule = [
  { verbs: everything, apiGroups: everything, resources: everything, resourceNames: nothing, nonResourceURLs: nothing },
  { verbs: everything, apiGroups: nothing, resources: nothing, resourceNames: nothing, nonResourceURLs: everything },
];

/** The authorizer of `--authorization-mode=AlwaysAllow`: for tests and for servers that nobody else can reach. */
export const alwaysAllow: Authorizer = {
  authorize: () => allow,
  rulesFor: () => ({ rules: everyRule, incomplete: false }),
};

/** The authorizer of `--authorization-mode=AlwaysDeny`. */
export const alwaysDeny: Authorizer = {
  authorize: () => noOpinion,
  rulesFor: () => ({ rules: [], incomplete: false }),
};
