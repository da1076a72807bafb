import type { JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import type {
  DiscoveredResource,
  DiscoveredSubresource,
  ServedApi,
  ServedGroup,
  ServedGroupVersion,
} from "./served-api.js";

/**
 * Returns the document of `/api`: the versions of the core group. It has no apiVersion, because it had none in release
 * 1.1.
 */
export function apiVersionsDocument(api: ServedApi): JsonObject {
  const core = api.groups.find((group) => group.name === "");
  return {
    kind: "APIVersions",
    versions: core?.versions.map((served) => served.version) ?? [],
    serverAddressByClientCIDRs: api.serverAddresses.map(({ clientCIDR, serverAddress }) => ({
      clientCIDR,
      serverAddress,
    })),
  };
}

/** Returns the document of `/apis`: every named group. */
export function apiGroupListDocument(api: ServedApi): JsonObject {
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: api.groups.filter((group) => group.name !== "").map(groupMembers),
  };
}

/** Returns the document of `/apis/<group>`. */
export function apiGroupDocument(group: ServedGroup): JsonObject {
  return { kind: "APIGroup", apiVersion: "v1", ...groupMembers(group) };
}

function groupMembers(group: ServedGroup): JsonObject {
  return {
    name: group.name,
    versions: group.versions.map((served) => groupVersion(served)),
    preferredVersion: groupVersion({ group: group.name, version: group.preferredVersion }),
  };
}

function groupVersion(gv: { readonly group: string; readonly version: string }): JsonObject {
  return { groupVersion: apiVersionOf(gv), version: gv.version };
}

/** Returns the document of `/api/v1` (without apiVersion, like `/api`) or `/apis/<group>/<version>`. */
export function apiResourceListDocument(served: ServedGroupVersion): JsonObject {
  return {
    kind: "APIResourceList",
    ...(served.group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: apiVersionOf(served),
    resources: served.resources.flatMap((resource) => [
      resourceRow(resource),
      ...resource.subresources.map((subresource) => subresourceRow(served, resource, subresource)),
    ]),
  };
}

function resourceRow(resource: DiscoveredResource): JsonObject {
  return {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length > 0 ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length > 0 ? { categories: [...resource.categories] } : {}),
    ...(resource.storageVersionHash === "" ? {} : { storageVersionHash: resource.storageVersionHash }),
  };
}

/**
 * Returns the entry of a subresource; its kind's group and version are stated only if they differ from those of the
 * list.
 */
function subresourceRow(
  { group, version }: ServedGroupVersion,
  parent: DiscoveredResource,
  subresource: DiscoveredSubresource,
): JsonObject {
  const { kind } = subresource;
  const foreign = kind.group !== group || kind.version !== version;
  return {
    name: `${parent.resource}/${subresource.name}`,
    singularName: "",
    namespaced: parent.namespaced,
    ...(foreign && kind.group !== "" ? { group: kind.group } : {}),
    ...(foreign ? { version: kind.version } : {}),
    kind: kind.kind,
    verbs: [...subresource.verbs],
  };
}
