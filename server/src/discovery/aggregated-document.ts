import type { JsonObject } from "@gatehouse/envelopes";
import type { DiscoveredResource, DiscoveredSubresource, ServedGroup, ServedGroupVersion } from "./served-api.js";

/** The group version that aggregated discovery is written in; v1.29 knows no other. */
export const aggregatedDiscovery = { group: "apidiscovery.k8s.io", version: "v2beta1", kind: "APIGroupDiscoveryList" };

/** All resources of the groups in one document (KEP-3352): for `/api` the core group, for `/apis` the named ones. */
export function apiGroupDiscoveryListDocument(groups: readonly ServedGroup[]): JsonObject {
  return {
    kind: aggregatedDiscovery.kind,
    apiVersion: `${aggregatedDiscovery.group}/${aggregatedDiscovery.version}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata: { ...(group.name === "" ? {} : { name: group.name }), creationTimestamp: null },
      versions: group.versions.map((served) => versionDiscovery(group.name, served)),
    })),
  };
}

function versionDiscovery(group: string, served: ServedGroupVersion): JsonObject {
  return {
    version: served.version,
    ...(served.resources.length > 0
      ? { resources: served.resources.map((resource) => resourceDiscovery(group, served.version, resource)) }
      : {}),
    freshness: served.freshness ?? "Current",
  };
}

function resourceDiscovery(group: string, version: string, resource: DiscoveredResource): JsonObject {
  return {
    resource: resource.resource,
    responseKind: { group: "", version: "", kind: resource.kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length > 0 ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length > 0 ? { categories: [...resource.categories] } : {}),
    ...(resource.subresources.length > 0
      ? { subresources: resource.subresources.map((item) => subresourceDiscovery(group, version, item)) }
      : {}),
  };
}

/** v1.29 leaves group and version of a kind empty where they are those of the list; clients fill them in. */
function subresourceDiscovery(group: string, version: string, subresource: DiscoveredSubresource): JsonObject {
  const { kind } = subresource;
  const foreign = kind.group !== group || kind.version !== version;
  return {
    subresource: subresource.name,
    responseKind: {
      group: foreign ? kind.group : "",
      version: foreign ? kind.version : "",
      kind: kind.kind,
    },
    verbs: [...subresource.verbs],
  };
}
