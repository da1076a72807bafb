import { apiVersionOf } from "@gatehouse/envelopes";
import type { ResourceStorage } from "./resource-storage.js";
import type { ServedResource } from "./served-resource.js";

/**
 * What is served at one moment: every resource, by group version and name. Immutable. When what is served changes, a
 * new one takes its place (see LiveCatalogue), and whoever has begun with this one may finish with it.
 */
export class Catalogue {
  readonly #all: readonly ServedResource[];
  readonly #byGroupVersion = new Map<string, Map<string, ServedResource>>();
  /** By group and resource: the version that is stored where it is served, so that nothing is converted. */
  readonly #byGroupResource = new Map<string, Map<string, ServedResource>>();
  readonly #groups = new Set<string>();
  readonly #byKind = new Map<string, Map<string, ServedResource>>();
  readonly #byStorage = new Map<ResourceStorage, ServedResource>();

  constructor(resources: Iterable<ServedResource>) {
    this.#all = [...resources];
    for (const served of this.#all) {
      this.#groups.add(served.group);
      innerMap(this.#byGroupVersion, served.apiVersion).set(served.resource, served);
      const versions = innerMap(this.#byGroupResource, served.group);
      const known = versions.get(served.resource);
      if (known === undefined || (known.converts && !served.converts)) {
        versions.set(served.resource, served);
      }
      const kinds = innerMap(this.#byKind, served.apiVersion);
      if (!kinds.has(served.kind)) {
        kinds.set(served.kind, served);
      }
      if (served.isStored && (!served.converts || !this.#byStorage.has(served.storage))) {
        this.#byStorage.set(served.storage, served);
      }
    }
  }

  /** The resource that a path names. */
  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#byGroupVersion.get(apiVersionOf({ group, version }))?.get(resource);
  }

  /** The resource whose objects say this of themselves; the first in the order of discovery when several do. */
  findKind(apiVersion: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(apiVersion)?.get(kind);
  }

  /** A served version of a resource, for those who care about what is stored: the stored one where it is served. */
  findAnyVersion(group: string, resource: string): ServedResource | undefined {
    return this.#byGroupResource.get(group)?.get(resource);
  }

  /** Whether anything is served of a group, in whatever version. */
  servesGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  /** The resources of a group version. */
  inGroupVersion(group: string, version: string): Iterable<ServedResource> {
    return this.#byGroupVersion.get(apiVersionOf({ group, version }))?.values() ?? [];
  }

  /** Every resource in every version, in the order of discovery. */
  all(): readonly ServedResource[] {
    return this.#all;
  }

  /** Each storage once, by the resource that is stored there as it is served, if there is one. */
  stored(): Iterable<ServedResource> {
    return this.#byStorage.values();
  }
}

function innerMap<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let inner = map.get(key);
  if (inner === undefined) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}
