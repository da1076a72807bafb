import { byVersionRank } from "../discovery/kube-aware-version.js";
import type { DiscoveredResource, ServedApi, ServedGroup, ServedGroupVersion } from "../discovery/served-api.js";
import type { GroupTable } from "../registry/group-table.js";
import type { RegistrySource } from "../registry/live-registry.js";
import type { ResourceRegistry } from "../registry/resource-registry.js";
import type { ServedResource } from "../registry/served-resource.js";
import type { ApiGroup } from "../resources/api-group.js";

/** The order of a group and of its versions in discovery. */
export type GroupOrder = Pick<ApiGroup, "name" | "versions">;

/**
 * Returns a function for the API that discovery and OpenAPI describe. It is called for each request, and its result is
 * made anew only after a change. Groups and versions without a change stay the same values, so that results derived
 * from them can be kept. `groups` are those that the server was started with, in the order of discovery; groups that
 * come later follow them. `address` returns where clients find the server.
 */
export function servedApiSource(
  liveRegistry: Pick<RegistrySource, "current">,
  groups: readonly GroupOrder[],
  address: () => string,
  options: { readonly storageVersionHash: boolean } = { storageVersionHash: true },
): () => ServedApi {
  const orders = new Map(groups.map((group) => [group.name, group]));
  const describe = options.storageVersionHash ? discovered : withoutHash;
  let registry: ResourceRegistry | undefined;
  let api: ServedApi = { groups: [], serverAddresses: [] };
  let known: ReadonlyMap<string, KnownGroup> = new Map();
  return () => {
    if (liveRegistry.current !== registry) {
      registry = liveRegistry.current;
      known = groupsOf(registry, orders, known, describe);
      const serverAddresses = [{ clientCIDR: "0.0.0.0/0", serverAddress: address() }];
      api = { groups: inOrder(known, orders), serverAddresses };
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

/** Describes a resource for discovery. */
type Describe = (served: ServedResource) => DiscoveredResource;

/** Orders by the name of the group. */
type GroupOrders = ReadonlyMap<string, GroupOrder>;

function groupsOf(
  registry: ResourceRegistry,
  orders: GroupOrders,
  before: ReadonlyMap<string, KnownGroup>,
  describe: Describe,
): ReadonlyMap<string, KnownGroup> {
  const result = new Map<string, KnownGroup>();
  for (const name of registry.groupNames()) {
    const table = registry.group(name) as GroupTable;
    const known = before.get(name);
    result.set(name, known?.table === table ? known : describeGroup(name, table, orders.get(name), known, describe));
  }
  return result;
}

function describeGroup(
  name: string,
  table: GroupTable,
  order: GroupOrder | undefined,
  before: KnownGroup | undefined,
  describe: Describe,
): KnownGroup {
  const versions = new Map<string, KnownVersion>();
  for (const version of inRank(order, table.versions())) {
    const resources = [...table.inVersion(version)];
    const known = before?.versions.get(version);
    versions.set(
      version,
      known !== undefined && sameItems(known.resources, resources)
        ? known
        : { resources, served: { group: name, version, resources: resources.map(describe).sort(byName) } },
    );
  }
  const served = [...versions.values()].map((known) => known.served);
  const preferredVersion = served[0]?.version ?? "";
  return { table, versions, group: { name, versions: served, preferredVersion } };
}

/**
 * Returns the versions of a group by priority: those that it was started with in their own order, behind those of custom
 * resources, which all have one priority.
 */
function inRank(order: GroupOrder | undefined, versions: Iterable<string>): readonly string[] {
  const known = order?.versions ?? [];
  const served = new Set(versions);
  const custom = [...served].filter((version) => !known.includes(version)).sort(byVersionRank);
  return [...custom, ...known.filter((version) => served.has(version))];
}

/**
 * Returns the groups in order: those that the server was started with first, the others in the order of the names that
 * v1.29 gives their APIServices.
 */
function inOrder(known: ReadonlyMap<string, KnownGroup>, orders: GroupOrders): readonly ServedGroup[] {
  const first = [...orders.keys()].flatMap((name) => known.get(name)?.group ?? []);
  const custom = [...known.values()]
    .filter(({ group }) => !orders.has(group.name))
    .map(({ group }) => ({ group, key: firstServiceName(group) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return [...first, ...custom.map(({ group }) => group)];
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

/** Describes a resource without the hash of its stored version (the feature StorageVersionHash is off). */
function withoutHash(served: ServedResource): DiscoveredResource {
  return { ...discovered(served), storageVersionHash: "" };
}

function discovered(served: ServedResource): DiscoveredResource {
  const { definition } = served;
  const { custom, strategy, verbs } = definition;
  const subresources = definition.subresources
    .filter(({ handledBy, connect }) => handledBy !== undefined || connect !== undefined)
    .map(({ name, kind, verbs: all, connect }) => ({
      name,
      kind: kind ?? { group: definition.group, version: definition.version, kind: definition.kind },
      verbs: all,
      ...(connect === undefined ? {} : { connect }),
    }));
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
    // Those of custom kinds are told in the order of their definition.
    subresources: custom === undefined ? subresources.sort((a, b) => (a.name < b.name ? -1 : 1)) : subresources,
  };
}
