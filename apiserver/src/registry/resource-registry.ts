import { groupVersionOf } from "@gatehouse/envelopes/schema";
import { GroupTable } from "./group-table.js";
import type { ResourceStorage } from "./resource-storage.js";
import type { ServedResource } from "./served-resource.js";

/**
 * The resources that are served at one moment, by group version and name. Immutable: a change of what is served makes a
 * new registry (see LiveRegistry), and a request that has begun with this one may finish with it.
 */
export class ResourceRegistry {
  readonly #groups: ReadonlyMap<string, GroupTable>;
  #all: readonly ServedResource[] | undefined;
  #byStorage: ReadonlyMap<ResourceStorage, ServedResource> | undefined;

  /** Resources in the order of discovery, or the tables of their groups. */
  constructor(resources: Iterable<ServedResource> | ReadonlyMap<string, GroupTable>) {
    this.#groups = resources instanceof Map ? resources : groupTables(resources as Iterable<ServedResource>);
  }

  /**
   * Returns a registry with other tables for some groups; undefined removes a group. Groups that do not change are
   * shared, so that one more definition among a thousand costs next to nothing.
   */
  withGroups(changes: ReadonlyMap<string, GroupTable | undefined>): ResourceRegistry {
    const groups = new Map(this.#groups);
    for (const [group, table] of changes) {
      if (table === undefined) {
        groups.delete(group);
      } else {
        groups.set(group, table);
      }
    }
    return new ResourceRegistry(groups);
  }

  /** Returns the resource that a path names. */
  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#groups.get(group)?.find(version, resource);
  }

  /** Returns the resource with this apiVersion and kind; the first in the order of discovery when there are several. */
  findKind(apiVersion: string, kind: string): ServedResource | undefined {
    const { group, version } = groupVersionOf(apiVersion);
    return this.#groups.get(group)?.findKind(version, kind);
  }

  /**
   * Returns a version of a resource, for callers that care about what is stored: the stored version where it is served.
   */
  findAnyVersion(group: string, resource: string): ServedResource | undefined {
    return this.#groups.get(group)?.findAnyVersion(resource);
  }

  /** Returns a resource in the version that clients prefer which name none. */
  findPreferred(group: string, resource: string): ServedResource | undefined {
    return this.#groups.get(group)?.findPreferred(resource);
  }

  /** Reports whether any resource of a group is served, in any version. */
  servesGroup(group: string): boolean {
    return (this.#groups.get(group)?.resources.length ?? 0) > 0;
  }

  /**
   * Returns the table of a group; undefined when none of its resources are served. The same value until one of them
   * changes.
   */
  group(name: string): GroupTable | undefined {
    return this.#groups.get(name);
  }

  /** Returns the names of all groups with served resources. */
  groupNames(): readonly string[] {
    return [...this.#groups.keys()].filter((group) => this.servesGroup(group));
  }

  /** Returns the resources of a group version. */
  inGroupVersion(group: string, version: string): Iterable<ServedResource> {
    return this.#groups.get(group)?.inVersion(version) ?? [];
  }

  /** Returns every resource in every version, group by group, in the order of discovery within a group. */
  all(): readonly ServedResource[] {
    this.#all ??= [...this.#groups.values()].flatMap(({ resources }) => resources);
    return this.#all;
  }

  /** Yields each storage once, as the resource whose served version is the stored one, if there is one. */
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
    if (served.isStored && (!served.form.converts || !result.has(served.storage))) {
      result.set(served.storage, served);
    }
  }
  return result;
}
