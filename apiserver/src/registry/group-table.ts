import type { ServedResource } from "./served-resource.js";

/** What is served of one API group, by version and name. Immutable. */
export class GroupTable {
  /** In the order of discovery. */
  readonly resources: readonly ServedResource[];
  /** Everything in it comes from definitions of custom resources. */
  readonly isCustom: boolean;
  readonly #byVersion = new Map<string, Map<string, ServedResource>>();
  readonly #byKind = new Map<string, Map<string, ServedResource>>();
  /** The version that is stored where it is served, so that nothing is converted. */
  readonly #byResource = new Map<string, ServedResource>();

  /** `hidden` are found by those who care about what is stored, and by nobody else: no version of them is served. */
  constructor(resources: readonly ServedResource[], hidden: readonly ServedResource[] = []) {
    this.resources = resources;
    for (const stored of hidden) {
      this.#byResource.set(stored.resource, stored);
    }
    this.isCustom = resources.every(({ definition }) => definition.custom !== undefined);
    for (const served of resources) {
      innerMap(this.#byVersion, served.version).set(served.resource, served);
      const kinds = innerMap(this.#byKind, served.version);
      if (!kinds.has(served.kind)) {
        kinds.set(served.kind, served);
      }
      const known = this.#byResource.get(served.resource);
      if (known === undefined || (known.converts && !served.converts)) {
        this.#byResource.set(served.resource, served);
      }
    }
  }

  find(version: string, resource: string): ServedResource | undefined {
    return this.#byVersion.get(version)?.get(resource);
  }

  /** The first in the order of discovery when several have the kind. */
  findKind(version: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(version)?.get(kind);
  }

  /** The stored version where it is served. */
  findAnyVersion(resource: string): ServedResource | undefined {
    return this.#byResource.get(resource);
  }

  /** In no particular order. */
  versions(): Iterable<string> {
    return this.#byVersion.keys();
  }

  inVersion(version: string): Iterable<ServedResource> {
    return this.#byVersion.get(version)?.values() ?? [];
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
