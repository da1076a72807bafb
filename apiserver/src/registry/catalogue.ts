import { GroupTable } from "./group-table.js";
import type { ResourceStorage } from "./resource-storage.js";
import type { ServedResource } from "./served-resource.js";

/**
 * What is served at one moment: every resource, by group version and name. Immutable. When what is served changes, a
 * new one takes its place (see LiveCatalogue), and whoever has begun with this one may finish with it.
 */
export class Catalogue {
  readonly #groups: ReadonlyMap<string, GroupTable>;
  #all: readonly ServedResource[] | undefined;
  #byStorage: ReadonlyMap<ResourceStorage, ServedResource> | undefined;

  /** Resources in the order of discovery, or the tables of their groups. */
  constructor(resources: Iterable<ServedResource> | ReadonlyMap<string, GroupTable>) {
    this.#groups = resources instanceof Map ? resources : groupTables(resources as Iterable<ServedResource>);
  }

  /**
   * The same with other tables for some groups; undefined where there is nothing any more. Groups that do not change are
   * shared, so that one more definition among a thousand costs next to nothing.
   */
  withGroups(changes: ReadonlyMap<string, GroupTable | undefined>): Catalogue {
    const groups = new Map(this.#groups);
    for (const [group, table] of changes) {
      if (table === undefined) {
        groups.delete(group);
      } else {
        groups.set(group, table);
      }
    }
    return new Catalogue(groups);
  }

  /** The resource that a path names. */
  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#groups.get(group)?.find(version, resource);
  }

  /** The resource whose objects say this of themselves; the first in the order of discovery when several do. */
  findKind(apiVersion: string, kind: string): ServedResource | undefined {
    const slash = apiVersion.indexOf("/");
    return slash < 0
      ? this.#groups.get("")?.findKind(apiVersion, kind)
      : this.#groups.get(apiVersion.slice(0, slash))?.findKind(apiVersion.slice(slash + 1), kind);
  }

  /** A version of a resource, for those who care about what is stored: the stored one where it is served. */
  findAnyVersion(group: string, resource: string): ServedResource | undefined {
    return this.#groups.get(group)?.findAnyVersion(resource);
  }

  /** Whether anything is served of a group, in whatever version. */
  servesGroup(group: string): boolean {
    return (this.#groups.get(group)?.resources.length ?? 0) > 0;
  }

  /** What is served of a group; undefined when that is nothing. The same value as long as nothing in it changes. */
  group(name: string): GroupTable | undefined {
    return this.#groups.get(name);
  }

  /** The names of all groups of which something is served. */
  groupNames(): readonly string[] {
    return [...this.#groups.keys()].filter((group) => this.servesGroup(group));
  }

  /** The resources of a group version. */
  inGroupVersion(group: string, version: string): Iterable<ServedResource> {
    return this.#groups.get(group)?.inVersion(version) ?? [];
  }

  /** Every resource in every version, in the order of discovery but for the groups. */
  all(): readonly ServedResource[] {
    this.#all ??= [...this.#groups.values()].flatMap(({ resources }) => resources);
    return this.#all;
  }

  /** Each storage once, by the resource that is stored there as it is served, if there is one. */
  stored(): Iterable<ServedResource> {
    this.#byStorage ??= byStorage(this.all());
    return this.#byStorage.values();
  }
}

function groupTables(resources: Iterable<ServedResource>): ReadonlyMap<string, GroupTable> {
  const byGroup = new Map<string, ServedResource[]>();
  for (const served of resources) {
    const known = byGroup.get(served.group);
    if (known === undefined) {
      byGroup.set(served.group, [served]);
    } else {
      known.push(served);
    }
  }
  return new Map([...byGroup].map(([group, all]) => [group, new GroupTable(all)]));
}

function byStorage(resources: readonly ServedResource[]): ReadonlyMap<ResourceStorage, ServedResource> {
  const result = new Map<ResourceStorage, ServedResource>();
  for (const served of resources) {
    if (served.isStored && (!served.converts || !result.has(served.storage))) {
      result.set(served.storage, served);
    }
  }
  return result;
}
