import type { ClientResource } from "@gatehouse/apiserver/client";
import type { Verb } from "@gatehouse/apiserver/registry";
import { isJsonObject, type JsonObject, listAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import type { RemoteApiService } from "./api-service.js";
import type { ApiServiceTable } from "./api-service-table.js";
import type { RemoteDiscovery } from "./remote-discovery.js";

/** The parts that know which resources other servers serve. */
export interface RemoteKindsSource {
  readonly table: Pick<ApiServiceTable, "remote" | "allRemote">;
  readonly discovery: Pick<RemoteDiscovery, "of">;
}

/** Reports whether every server behind an APIService has been asked for its resources, with or without success. */
export function areAllAsked({ table, discovery }: RemoteKindsSource): boolean {
  return [...table.allRemote()].every(({ name }) => discovery.of(name) !== undefined);
}

/**
 * Returns the resources of other servers that are wanted, each in the version of the highest priority in which it is. The
 * last known resources of a server that is away count.
 */
export function remoteResources(
  { table, discovery }: RemoteKindsSource,
  isWanted: (resource: ClientResource) => boolean,
): readonly ClientResource[] {
  const found = new Map<string, ClientResource>();
  for (const apiService of byPriority(table.allRemote())) {
    for (const item of listAt(discovery.of(apiService.name)?.stated, "resources").filter(isJsonObject)) {
      const resource = clientResource(apiService, item);
      const key = `${resource.resource}.${resource.group}`;
      if (!found.has(key) && isWanted(resource)) {
        found.set(key, resource);
      }
    }
  }
  return [...found.values()];
}

/** Returns the resource of a kind that another server serves; undefined when none is known. */
export function remoteResourceOfKind(
  { discovery }: Pick<RemoteKindsSource, "discovery">,
  apiService: RemoteApiService,
  kind: string,
): ClientResource | undefined {
  return listAt(discovery.of(apiService.name)?.stated, "resources")
    .filter(isJsonObject)
    .map((item) => clientResource(apiService, item))
    .find((resource) => resource.kind === kind);
}

/** Orders APIServices by their versions' priorities, highest first. */
function byPriority(apiServices: Iterable<RemoteApiService>): readonly RemoteApiService[] {
  return [...apiServices].sort((a, b) => b.versionPriority - a.versionPriority || (a.name < b.name ? -1 : 1));
}

function clientResource({ group, version }: RemoteApiService, item: JsonObject): ClientResource {
  return {
    group,
    version,
    apiVersion: group === "" ? version : `${group}/${version}`,
    resource: textAt(item, "resource"),
    kind: textAt(item, "responseKind", "kind"),
    namespaced: textAt(item, "scope") === "Namespaced",
    verbs: textsAt(item, "verbs") as readonly Verb[],
  };
}
