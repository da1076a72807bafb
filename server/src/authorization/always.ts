import type { AuthorizationDecision, Authorizer } from "./authorizer.js";

const allow: AuthorizationDecision = Object.freeze({ decision: "allow", reason: "" });
const noOpinion: AuthorizationDecision = Object.freeze({ decision: "noOpinion", reason: "Everything is forbidden." });

/** `--authorization-mode=AlwaysAllow`: for tests and for servers that nobody else can reach. */
export const alwaysAllow: Authorizer = { authorize: () => allow };

/** `--authorization-mode=AlwaysDeny`. */
export const alwaysDeny: Authorizer = { authorize: () => noOpinion };
