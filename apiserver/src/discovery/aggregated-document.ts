import type { JsonObject } from "@gatehouse/envelopes/json";
import { isCustomGroup } from "./custom-groups.js";
import type { DiscoveredResource, DiscoveredSubresource, ServedGroup, ServedGroupVersion } from "./served-api.js";

/** The group version that aggregated discovery is written in; v1.29 knows no other. */
export const aggregatedDiscovery = { group: "apidiscovery.k8s.io", version: "v2beta1", kind: "APIGroupDiscoveryList" };

/** The IDL message of that list. */
export const aggregatedMessage = "k8s.io.api.apidiscovery.v2beta1.APIGroupDiscoveryList";

/**
 * Returns all resources of the groups in one document (KEP-3352): for `/api` the core group, for `/apis` the named
 * ones. `versionOf` is `versionDiscovery`, or a memo of it.
 */
export function apiGroupDiscoveryListDocument(
  groups: readonly ServedGroup[],
  versionOf: (served: ServedGroupVersion) => JsonObject,
): JsonObject {
  return {
    kind: aggregatedDiscovery.kind,
    apiVersion: `${aggregatedDiscovery.group}/${aggregatedDiscovery.version}`,
    metadata: {},
    items: inOrder(groups).map((group) => ({
      metadata: { ...(group.name === "" ? {} : { name: group.name }), creationTimestamp: null },
      versions: group.versions.map(versionOf),
    })),
  };
}

/**
 * Orders groups by priority and name. Where priorities are not stated, it orders custom groups by name here, as they all have the same rank; the list of groups considers their best versions,
 * too.
 */
function inOrder(groups: readonly ServedGroup[]): readonly ServedGroup[] {
  if (groups.some(({ priority }) => priority !== undefined)) {
    return [...groups].sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0) || (a.name < b.name ? -1 : 1));
  }
  const custom = groups.filter(isCustomGroup).sort((a, b) => (a.name < b.name ? -1 : 1));
  return groups.map((group) => (isCustomGroup(group) ? (custom.shift() as ServedGroup) : group));
}

/** Returns the entry of one group version in the list. */
export function versionDiscovery(served: ServedGroupVersion): JsonObject {
  if (served.delegated === true) {
    return { ...served.statedDiscovery, version: served.version, freshness: served.freshness ?? "Current" };
  }
  return {
    version: served.version,
    ...(served.resources.length > 0
      ? { resources: served.resources.map((resource) => resourceDiscovery(served, resource)) }
      : {}),
    freshness: served.freshness ?? "Current",
  };
}

function resourceDiscovery(served: ServedGroupVersion, resource: DiscoveredResource): JsonObject {
  const { group, version } = served;
  // Written by another part of v1.29 than those of built-in kinds.
  const isCustom = resource.openAPIV3Schema !== undefined;
  return {
    resource: resource.resource,
    responseKind: { ...(isCustom ? { group, version } : { group: "", version: "" }), kind: resource.kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length > 0 ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length > 0 ? { categories: [...resource.categories] } : {}),
    ...(resource.subresources.length > 0
      ? { subresources: resource.subresources.map((item) => subresourceDiscovery(served, item, isCustom)) }
      : {}),
  };
}

/**
 * Returns the entry of a subresource. As in v1.29, group and version of its kind are empty if they are those of the
 * list, and the kind is not a custom one.
 */
function subresourceDiscovery(
  { group, version }: ServedGroupVersion,
  subresource: DiscoveredSubresource,
  isCustom: boolean,
): JsonObject {
  const { kind } = subresource;
  const foreign = isCustom || kind.group !== group || kind.version !== version;
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
