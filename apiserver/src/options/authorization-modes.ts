/** The authorizers that can be named. */
export const authorizationModes = ["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"] as const;

/** A member of `authorizationModes`. */
export type AuthorizationMode = (typeof authorizationModes)[number];
