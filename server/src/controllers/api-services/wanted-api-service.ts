import { metaOf } from "@gatehouse/apiserver/objects";
import type { Catalogue } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes";

/** A group that is built in, and how it ranks among others. */
export interface RankedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** Groups with a higher number come first. */
  readonly groupPriorityMinimum: number;
  /** `versionPriority`: versions with a higher number come first. */
  readonly versions: readonly { readonly version: string; readonly versionPriority: number }[];
}

/** How long an API service is kept as it should be: made right when the server starts, or all the time. */
export type Management = "onstart" | "true";

const managementLabel = "kube-aggregator.kubernetes.io/automanaged";

/** The management that the label of an API service states; undefined for those that somebody else has made. */
export function managementOf(apiService: JsonObject): Management | undefined {
  const value = metaOf(apiService).labels?.[managementLabel];
  return value === "onstart" || value === "true" ? value : undefined;
}

/** The API services of what is served of these groups, by name. The API of API services itself has none. */
export function builtinApiServices(
  groups: readonly RankedGroup[],
  catalogue: Catalogue,
): ReadonlyMap<string, JsonObject> {
  const services = new Map<string, JsonObject>();
  for (const { name: group, groupPriorityMinimum, versions } of groups) {
    const served = new Set(catalogue.group(group)?.versions());
    for (const { version, versionPriority } of versions) {
      if (served.has(version) && group !== "apiregistration.k8s.io") {
        const service = makeApiService(group, version, groupPriorityMinimum, versionPriority, "onstart");
        services.set(metaOf(service).name ?? "", service);
      }
    }
  }
  return services;
}

/** The API service of a group version that definitions define. All rank alike, below what is built in. */
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
