import type { AuthorizationMode, ServerConfig } from "../config.js";
import { alwaysAllow, alwaysDeny } from "./always.js";
import type { Authorizer } from "./authorizer.js";
import { mastersGroup, privilegedGroups } from "./privileged-groups.js";
import { unionAuthorizer } from "./union-authorizer.js";

/** The authorizer that the configuration asks for: who guards the cluster may do everything, then the modes in their order. */
export function openAuthorizer({ authorizationModes }: Pick<ServerConfig, "authorizationModes">): Authorizer {
  return unionAuthorizer([privilegedGroups([mastersGroup]), ...authorizationModes.map((mode) => byMode[mode])]);
}

const byMode: Readonly<Record<AuthorizationMode, Authorizer>> = {
  AlwaysAllow: alwaysAllow,
  AlwaysDeny: alwaysDeny,
};
