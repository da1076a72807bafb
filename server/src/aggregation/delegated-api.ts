import {
  byVersionRank,
  type ServedApi,
  type ServedGroup,
  type ServedGroupVersion,
} from "@gatehouse/apiserver/discovery";
import type { ApiService } from "./api-service.js";
import type { ApiServiceTable } from "./api-service-table.js";
import type { RemoteDiscovery } from "./remote-discovery.js";
import type { RemoteOpenApi } from "./remote-openapi.js";

/** The ranks of a group version in discovery, highest first. */
export interface Ranks {
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** Dependencies of `delegatedApi`. */
export interface DelegatedApiOptions {
  readonly table: ApiServiceTable;
  readonly discovery: Pick<RemoteDiscovery, "changes" | "of">;
  readonly openapi: Pick<RemoteOpenApi, "changes" | "specs" | "documents" | "converted">;
  /** Returns the ranks of a group version of this server that has no APIService yet. */
  readonly ownRanks: (group: string, version: string) => Ranks;
}

/**
 * Returns a function that adds the group versions of other servers to the API of this one and orders all of them by the
 * priorities of their APIServices, as v1.29 does. Values without a change stay the same, so that documents are kept.
 */
export function delegatedApi(options: DelegatedApiOptions): (own: ServedApi) => ServedApi {
  const { table, discovery, openapi } = options;
  let seen = { own: undefined as ServedApi | undefined, table: -1, discovery: -1, openapi: -1 };
  let merged: ServedApi | undefined;
  return (own) => {
    const now = { own, table: table.changes, discovery: discovery.changes, openapi: openapi.changes };
    if (merged !== undefined && isSameState(seen, now)) {
      return merged;
    }
    const groups = mergeGroups(own, options, new Map(merged?.groups.map((group) => [group.name, group])));
    const isOnlyRenewed =
      merged !== undefined &&
      seen.own === own &&
      seen.openapi === now.openapi &&
      groups.length === merged.groups.length &&
      groups.every((group, index) => group === merged?.groups[index]);
    if (!isOnlyRenewed || merged === undefined) {
      merged = { ...own, groups, ...foreignDocuments(openapi) };
    }
    seen = now;
    return merged;
  };
}

/** The state of everything that the result is made of. */
type State = { readonly [part in "table" | "discovery" | "openapi"]: number } & { readonly own: ServedApi | undefined };

function isSameState(a: State, b: State): boolean {
  return a.own === b.own && a.table === b.table && a.discovery === b.discovery && a.openapi === b.openapi;
}

function foreignDocuments(openapi: DelegatedApiOptions["openapi"]): Partial<ServedApi> {
  const specs = openapi.specs();
  const documents = openapi.documents();
  const converted = openapi.converted();
  return {
    ...(specs.length === 0 ? {} : { foreignSpecs: specs }),
    ...(documents.size === 0
      ? {}
      : { foreignDocuments: new Map([...documents].map(([id, { url }]): [string, string] => [id, url])) }),
    ...(converted.size === 0 ? {} : { convertedDocuments: converted }),
  };
}

/** A group version with its ranks. */
interface RankedVersion extends Ranks {
  readonly name: string;
  readonly served: ServedGroupVersion;
}

function mergeGroups(
  own: ServedApi,
  options: DelegatedApiOptions,
  before: ReadonlyMap<string, ServedGroup>,
): readonly ServedGroup[] {
  const { table, ownRanks } = options;
  const byGroup = new Map<string, Map<string, RankedVersion>>();
  const put = (name: string, served: ServedGroupVersion, ranks: Ranks): void => {
    const versions = byGroup.get(served.group) ?? new Map<string, RankedVersion>();
    byGroup.set(served.group, versions);
    versions.set(served.version, { ...ranks, name, served });
  };
  for (const group of own.groups) {
    for (const served of group.versions) {
      const name = `${served.version}.${group.name}`;
      const apiService = table.get(name);
      put(name, served, apiService === undefined ? ownRanks(group.name, served.version) : ranksOf(apiService));
    }
  }
  for (const apiService of table.allRemote()) {
    put(apiService.name, delegatedVersion(apiService, options, before), ranksOf(apiService));
  }
  return [...byGroup.values()]
    .map((versions) => rankGroup([...versions.values()], before))
    .sort((a, b) => b.priority - a.priority || (a.firstName < b.firstName ? -1 : 1))
    .map(({ group }) => group);
}

function ranksOf({ groupPriorityMinimum, versionPriority }: ApiService): Ranks {
  return { groupPriority: groupPriorityMinimum, versionPriority };
}

function delegatedVersion(
  { name, group, version }: ApiService,
  { discovery }: DelegatedApiOptions,
  before: ReadonlyMap<string, ServedGroup>,
): ServedGroupVersion {
  const found = discovery.of(name);
  const freshness = found?.isCurrent === true ? "Current" : "Stale";
  const known = before.get(group)?.versions.find((served) => served.version === version);
  return known?.delegated === true && known.freshness === freshness && known.statedDiscovery === found?.stated
    ? known
    : {
        group,
        version,
        resources: [],
        delegated: true,
        freshness,
        ...(found?.stated === undefined ? {} : { statedDiscovery: found.stated }),
      };
}

/** A group with the keys that it is sorted by: its highest priority, and the first name among its APIServices of that. */
interface RankedGroup {
  readonly group: ServedGroup;
  readonly priority: number;
  readonly firstName: string;
}

function rankGroup(versions: readonly RankedVersion[], before: ReadonlyMap<string, ServedGroup>): RankedGroup {
  const priority = Math.max(...versions.map(({ groupPriority }) => groupPriority));
  const names = versions.filter(({ groupPriority }) => groupPriority === priority).map(({ name }) => name);
  const served = versions
    .toSorted((a, b) => b.versionPriority - a.versionPriority || byVersionRank(a.served.version, b.served.version))
    .map((version) => version.served);
  const name = served[0]?.group ?? "";
  const known = before.get(name);
  const isSame =
    known?.priority === priority &&
    known.versions.length === served.length &&
    known.versions.every((version, index) => version === served[index]);
  return {
    group: isSame ? known : { name, versions: served, preferredVersion: served[0]?.version ?? "", priority },
    priority,
    firstName: names.sort()[0] ?? "",
  };
}
