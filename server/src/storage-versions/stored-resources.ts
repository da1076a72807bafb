import { type StoreForm, versionAtRest } from "@gatehouse/apiserver/forms";
import type { ResourceDefinition, StorageLocation } from "@gatehouse/apiserver/registry";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import type { GroupResource } from "@gatehouse/envelopes/status";

/** A stored resource as its StorageVersion describes it. */
export interface StoredResource {
  /** The name of the StorageVersion: `core.pods`, `apps.deployments`. */
  readonly name: string;
  /** The names under which the objects are served. They differ for events alone, which two groups serve. */
  readonly servedAs: readonly GroupResource[];
  readonly encodingVersion: string;
  readonly decodableVersions: readonly string[];
  readonly servedVersions: readonly string[];
}

/**
 * Returns the built-in resources that are stored, as they lie in a store of this form. As in v1.29 there is nothing about
 * custom resources and those of other servers.
 */
export function storedResources(
  definitions: Iterable<ResourceDefinition>,
  store: StoreForm,
): readonly StoredResource[] {
  const byPrefix = new Map<string, Group>();
  for (const definition of definitions) {
    const { custom, storage: location } = definition;
    if (custom === undefined && location !== undefined) {
      const known = byPrefix.get(location.prefix);
      byPrefix.set(location.prefix, { location, served: [...(known?.served ?? []), definition] });
    }
  }
  return [...byPrefix.values()].map((group) => described(group, store)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the name of the StorageVersion of a resource; a group has no empty name in it. */
export function storageVersionName(group: string, resource: string): string {
  return `${group === "" ? "core" : group}.${resource}`;
}

/** The versions of a resource that are stored in one place. */
interface Group {
  readonly location: StorageLocation;
  readonly served: readonly ResourceDefinition[];
}

function described({ location, served }: Group, store: StoreForm): StoredResource {
  const groups = [...new Set(served.map(({ group }) => group))].sort();
  const [group = location.group] = groups;
  const resource = served[0]?.resource ?? "";
  const decodable = [
    { group, version: location.version },
    ...(location.olderVersions ?? []).filter((older) => older.group === group),
    ...served,
  ];
  return {
    name: storageVersionName(group, resource),
    servedAs: groups.map((name) => ({ group: name, resource })),
    encodingVersion: apiVersionOf({ group, version: versionAtRest(location, store) }),
    decodableVersions: [...new Set([...firstVersions(group), ...decodable.map(apiVersionOf)])],
    servedVersions: served.filter((definition) => definition.group === group).map(apiVersionOf),
  };
}

/** Returns the versions of a group that v1.29 names first, whatever it stores or serves. */
function firstVersions(group: string): readonly string[] {
  return group === "discovery.k8s.io" ? ["discovery.k8s.io/v1beta1"] : [];
}
