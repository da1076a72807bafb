import { metaOf } from "@gatehouse/apiserver/objects";
import type { ResourceRegistry } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** A built-in group with its priorities among the others. */
export interface RankedGroup {
  /** The name of the group; empty for the core group. */
  readonly name: string;
  /** The `groupPriorityMinimum`: groups with a higher number come first. */
  readonly groupPriorityMinimum: number;
  /** The `versionPriority`: versions with a higher number come first. */
  readonly versions: readonly { readonly version: string; readonly versionPriority: number }[];
}

/** The time for which an API service is reconciled: when the server starts, or always. */
export type Management = "onstart" | "true";

const managementLabel = "kube-aggregator.kubernetes.io/automanaged";

/** Returns the management that the label of an API service states; undefined for those of other authors. */
export function managementOf(apiService: JsonObject): Management | undefined {
  const value = metaOf(apiService).labels?.[managementLabel];
  return value === "onstart" || value === "true" ? value : undefined;
}

/**
 * Returns the API services of the served versions of these groups, by name. The group of API services itself has none.
 */
export function builtinApiServices(
  groups: readonly RankedGroup[],
  registry: ResourceRegistry,
): ReadonlyMap<string, JsonObject> {
  const services = new Map<string, JsonObject>();
  for (const { name: group, groupPriorityMinimum, versions } of groups) {
    const served = new Set(registry.group(group)?.versions());
    for (const { version, versionPriority } of versions) {
      if (served.has(version) && group !== "apiregistration.k8s.io") {
        const service = makeApiService(group, version, groupPriorityMinimum, versionPriority, "onstart");
        services.set(metaOf(service).name ?? "", service);
      }
    }
  }
  return services;
}

/**
 * Returns the API service of a group version that definitions define. All have one priority, below the built-in ones.
 */
export function definedApiService(name: string): JsonObject {
  const dot = name.indexOf(".");
  return makeApiService(name.slice(dot + 1), name.slice(0, dot), 1000, 100, "true");
}

function makeApiService(
  group: string,
  version: string,
  groupPriorityMinimum: number,
  versionPriority: number,
  management: Management,
): JsonObject {
  return {
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    metadata: { name: `${version}.${group}`, labels: { [managementLabel]: management } },
    spec: { ...(group !== "" && { group }), version, groupPriorityMinimum, versionPriority },
  };
}
