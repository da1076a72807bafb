import type { AuthorizationMode, ServerConfig } from "../config.js";
import { alwaysAllow, alwaysDeny } from "./always.js";
import type { Authorizer } from "./authorizer.js";
import { mastersGroup, privilegedGroups } from "./privileged-groups.js";
import { rbacAuthorizer } from "./rbac/rbac-authorizer.js";
import type { RbacRules } from "./rbac/rbac-rules.js";
import { unionAuthorizer } from "./union-authorizer.js";

/** What authorizers decide by. */
export interface AuthorizerParts {
  readonly rbacRules: RbacRules;
}

/**
 * The authorizer that the configuration asks for: who guards the cluster may do everything, then the modes in their
 * order. Resolves when all of them know what they decide by.
 */
export async function openAuthorizer(
  { authorizationModes }: Pick<ServerConfig, "authorizationModes">,
  parts: AuthorizerParts,
): Promise<Required<Authorizer>> {
  const modes = await Promise.all(authorizationModes.map((mode) => byMode[mode](parts)));
  return unionAuthorizer([privilegedGroups([mastersGroup]), ...modes]);
}

const byMode: Readonly<Record<AuthorizationMode, (parts: AuthorizerParts) => Authorizer | Promise<Authorizer>>> = {
  AlwaysAllow: () => alwaysAllow,
  AlwaysDeny: () => alwaysDeny,
  RBAC: async ({ rbacRules }) => rbacAuthorizer(await rbacRules.ready()),
};
