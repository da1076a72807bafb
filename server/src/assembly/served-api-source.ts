import {
  byVersionRank,
  type DiscoveredResource,
  type ServedApi,
  type ServedGroup,
  type ServedGroupVersion,
} from "@gatehouse/apiserver/discovery";
import type { GroupTable, RegistrySource, ResourceRegistry, ServedResource } from "@gatehouse/apiserver/registry";
import { type BuiltinGroup, builtinGroups } from "../kinds/groups.js";

/**
 * Returns a function for the API that discovery and OpenAPI describe. It is called for each request, and its result is
 * made anew only after a change. Groups and versions without a change stay the same values, so that results derived
 * from them can be kept. `address` is where in-cluster clients find the server.
 */
export function servedApiSource(liveRegistry: Pick<RegistrySource, "current">, address: string): () => ServedApi {
  const serverAddresses = [{ clientCIDR: "0.0.0.0/0", serverAddress: address }];
  let registry: ResourceRegistry | undefined;
  let api: ServedApi = { groups: [], serverAddresses };
  let known: ReadonlyMap<string, KnownGroup> = new Map();
  return () => {
    if (liveRegistry.current !== registry) {
      registry = liveRegistry.current;
      known = groupsOf(registry, known);
      api = { groups: inOrder(known), serverAddresses };
    }
    return api;
  };
}

interface KnownGroup {
  readonly table: GroupTable;
  readonly group: ServedGroup;
  readonly versions: ReadonlyMap<string, KnownVersion>;
}

interface KnownVersion {
  readonly resources: readonly ServedResource[];
  readonly served: ServedGroupVersion;
}

const builtinByName: ReadonlyMap<string, BuiltinGroup> = new Map(builtinGroups.map((group) => [group.name, group]));

function groupsOf(
  registry: ResourceRegistry,
  before: ReadonlyMap<string, KnownGroup>,
): ReadonlyMap<string, KnownGroup> {
  const result = new Map<string, KnownGroup>();
  for (const name of registry.groupNames()) {
    const table = registry.group(name) as GroupTable;
    const known = before.get(name);
    result.set(name, known?.table === table ? known : describeGroup(name, table, known));
  }
  return result;
}

function describeGroup(name: string, table: GroupTable, before: KnownGroup | undefined): KnownGroup {
  const versions = new Map<string, KnownVersion>();
  for (const version of inRank(name, table.versions())) {
    const resources = [...table.inVersion(version)];
    const known = before?.versions.get(version);
    versions.set(
      version,
      known !== undefined && sameItems(known.resources, resources)
        ? known
        : { resources, served: { group: name, version, resources: resources.map(discovered).sort(byName) } },
    );
  }
  const served = [...versions.values()].map((known) => known.served);
  const preferredVersion = served[0]?.version ?? "";
  return { table, versions, group: { name, versions: served, preferredVersion } };
}

/**
 * Returns the versions of a group by priority: built-in ones in their own order, behind those of custom resources,
 * which all have one priority.
 */
function inRank(group: string, versions: Iterable<string>): readonly string[] {
  const builtin = builtinByName.get(group)?.versions.map(({ version }) => version) ?? [];
  const served = new Set(versions);
  const custom = [...served].filter((version) => !builtin.includes(version)).sort(byVersionRank);
  return [...custom, ...builtin.filter((version) => served.has(version))];
}

/**
 * Returns the groups in order: built-in ones first, the others in the order of the names that v1.29 gives their
 * APIServices.
 */
function inOrder(known: ReadonlyMap<string, KnownGroup>): readonly ServedGroup[] {
  const builtin = builtinGroups.flatMap(({ name }) => known.get(name)?.group ?? []);
  const custom = [...known.values()]
    .filter(({ group }) => !builtinByName.has(group.name))
    .map(({ group }) => ({ group, key: firstServiceName(group) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return [...builtin, ...custom.map(({ group }) => group)];
}

function firstServiceName({ name, versions }: ServedGroup): string {
  return versions.reduce((first, { version }) => {
    const service = `${version}.${name}`;
    return first === "" || service < first ? service : first;
  }, "");
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function byName(a: DiscoveredResource, b: DiscoveredResource): number {
  return a.resource < b.resource ? -1 : 1;
}

/** Verbs for objects whose definition is being deleted. */
const terminatingVerbs = new Set(["delete", "deletecollection", "get", "list", "watch"]);

function discovered(served: ServedResource): DiscoveredResource {
  const { definition } = served;
  const { custom, strategy, verbs } = definition;
  return {
    resource: definition.resource,
    singular: definition.singular,
    kind: definition.kind,
    namespaced: definition.namespaced,
    verbs: custom?.isTerminating === true ? verbs.filter((verb) => terminatingVerbs.has(verb)) : verbs,
    shortNames: definition.shortNames,
    categories: definition.categories,
    storageVersionHash: definition.storageVersionHash,
    // A namespace is answered, too, and v1.29's documents say a Status.
    returnsDeletedObject: strategy.deletion.returnsDeletedObject && strategy.deletion.ownFinalizers === undefined,
    ...(custom === undefined ? {} : { openAPIV3Schema: custom.openAPIV3Schema }),
    subresources: definition.subresources
      .filter((subresource) => subresource.handledBy !== undefined)
      .map(({ name, kind, verbs: all, connect }) => ({
        name,
        kind: kind ?? { group: definition.group, version: definition.version, kind: definition.kind },
        verbs: all,
        ...(connect === undefined ? {} : { connect }),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
