import { selectDefinitions } from "@gatehouse/apiserver/registry";
import type { ApiGroup } from "@gatehouse/apiserver/server";
import { builtinResources } from "../kinds/builtin-resources.js";
import { builtinGroups } from "../kinds/groups.js";
import type { ServerConfig } from "../options/server-config.js";

/** Returns the built-in groups with the resources that this configuration serves. */
export function apiGroups(config: Pick<ServerConfig, "featureGates" | "runtimeConfig">): readonly ApiGroup[] {
  const definitions = selectDefinitions(builtinResources, config);
  return builtinGroups.map(({ name, versions }) => ({
    name,
    versions: versions.map(({ version }) => version),
    resources: definitions.filter(({ group }) => group === name),
  }));
}
