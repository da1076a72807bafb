import { byVersionRank } from "../discovery/kube-aware-version.js";
import type { ServedResource } from "./served-resource.js";

/** The served resources of one API group, by version and name. Immutable. */
export class GroupTable {
  /** The resources in the order of discovery. */
  readonly resources: readonly ServedResource[];
  /** True if all resources come from definitions of custom resources. */
  readonly isCustom: boolean;
  readonly #byVersion = new Map<string, Map<string, ServedResource>>();
  readonly #byKind = new Map<string, Map<string, ServedResource>>();
  /** The version that is stored where it is served, so that nothing is converted. */
  readonly #byResource = new Map<string, ServedResource>();

  /**
   * `hidden` are resources without a served version: only `findAnyVersion` finds them, for callers that care about what
   * is stored.
   */
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
      if (known === undefined || (known.form.converts && !served.form.converts)) {
        this.#byResource.set(served.resource, served);
      }
    }
  }

  find(version: string, resource: string): ServedResource | undefined {
    return this.#byVersion.get(version)?.get(resource);
  }

  /** Returns the resource with a kind; the first in the order of discovery when there are several. */
  findKind(version: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(version)?.get(kind);
  }

  /** Returns the stored version of a resource where it is served, otherwise another version. */
  findAnyVersion(resource: string): ServedResource | undefined {
    return this.#byResource.get(resource);
  }

  /**
   * Returns a resource in the version that clients prefer: of custom versions the one that ranks first, and of others the
   * first in the order of discovery.
   */
  findPreferred(resource: string): ServedResource | undefined {
    const versions = this.resources.filter((served) => served.resource === resource);
    const custom = versions.filter(({ definition }) => definition.custom !== undefined);
    return custom.sort((a, b) => byVersionRank(a.version, b.version))[0] ?? versions[0];
  }

  /** Returns the served versions, in no particular order. */
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
