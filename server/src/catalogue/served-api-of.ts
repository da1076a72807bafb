import type { DiscoveredResource, ServedApi, ServedGroup, ServedGroupVersion } from "../discovery/served-api.js";
import { type BuiltinGroup, builtinGroups } from "../kinds/groups.js";
import { isServedSubresource } from "../subresources/subresource-handlers.js";
import type { ResourceTable } from "./resource-table.js";
import type { ServedResource } from "./served-resource.js";

/** What discovery and OpenAPI tell about, from what is served. `address` is where in-cluster clients find the server. */
export function servedApiOf(table: ResourceTable, address: string): ServedApi {
  return {
    groups: builtinGroups.flatMap((group) => servedGroup(table, group)),
    serverAddresses: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
  };
}

function servedGroup(table: ResourceTable, group: BuiltinGroup): readonly ServedGroup[] {
  const versions = group.versions.flatMap(({ version }): readonly ServedGroupVersion[] => {
    const resources = [...table.all()].filter((served) => served.group === group.name && served.version === version);
    return resources.length === 0 ? [] : [{ version, resources: resources.map(discovered).sort(byName) }];
  });
  const [preferred] = versions;
  return preferred === undefined ? [] : [{ name: group.name, versions, preferredVersion: preferred.version }];
}

function byName(a: DiscoveredResource, b: DiscoveredResource): number {
  return a.resource < b.resource ? -1 : 1;
}

function discovered(served: ServedResource): DiscoveredResource {
  const { definition } = served;
  return {
    resource: definition.resource,
    singular: definition.singular,
    kind: definition.kind,
    namespaced: definition.namespaced,
    verbs: definition.verbs,
    shortNames: definition.shortNames,
    categories: definition.categories,
    storageVersionHash: definition.storageVersionHash,
    returnsDeletedObject: definition.returnsDeletedObject,
    subresources: definition.subresources
      .filter((subresource) => isServedSubresource(subresource.name))
      .map(({ name, kind, verbs, connect }) => ({
        name,
        kind: kind ?? { group: definition.group, version: definition.version, kind: definition.kind },
        verbs,
        ...(connect === undefined ? {} : { connect }),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
