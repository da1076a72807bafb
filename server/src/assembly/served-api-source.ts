import { apiVersionOf } from "@gatehouse/envelopes";
import type { Catalogue } from "../catalogue/catalogue.js";
import type { CatalogueSource } from "../catalogue/live-catalogue.js";
import type { ServedResource } from "../catalogue/served-resource.js";
import type { DiscoveredResource, ServedApi, ServedGroup, ServedGroupVersion } from "../discovery/served-api.js";
import { builtinGroups } from "../kinds/groups.js";

/**
 * What discovery and OpenAPI tell about, from what is served now: asked anew for each request, made anew only after a
 * change. Group versions whose resources did not change stay the same values, so that what is made of them can be kept.
 * `address` is where in-cluster clients find the server.
 */
export function servedApiSource(catalogues: Pick<CatalogueSource, "current">, address: string): () => ServedApi {
  const serverAddresses = [{ clientCIDR: "0.0.0.0/0", serverAddress: address }];
  let catalogue: Catalogue | undefined;
  let api: ServedApi = { groups: [], serverAddresses };
  let known: ReadonlyMap<string, KnownGroupVersion> = new Map();
  return () => {
    if (catalogues.current !== catalogue) {
      catalogue = catalogues.current;
      known = groupVersionsOf(catalogue, known);
      api = { groups: servedGroups(known), serverAddresses };
    }
    return api;
  };
}

interface KnownGroupVersion {
  readonly resources: readonly ServedResource[];
  readonly served: ServedGroupVersion;
}

/** By apiVersion. */
function groupVersionsOf(
  catalogue: Catalogue,
  before: ReadonlyMap<string, KnownGroupVersion>,
): ReadonlyMap<string, KnownGroupVersion> {
  const result = new Map<string, KnownGroupVersion>();
  for (const { name: group, versions } of builtinGroups) {
    for (const { version } of versions) {
      const resources = [...catalogue.inGroupVersion(group, version)];
      if (resources.length > 0) {
        const apiVersion = apiVersionOf({ group, version });
        const known = before.get(apiVersion);
        result.set(
          apiVersion,
          known !== undefined && sameItems(known.resources, resources)
            ? known
            : { resources, served: { group, version, resources: resources.map(discovered).sort(byName) } },
        );
      }
    }
  }
  return result;
}

function servedGroups(known: ReadonlyMap<string, KnownGroupVersion>): readonly ServedGroup[] {
  return builtinGroups.flatMap(({ name, versions: all }) => {
    const versions = all.flatMap(({ version }) => known.get(apiVersionOf({ group: name, version }))?.served ?? []);
    const [preferred] = versions;
    return preferred === undefined ? [] : [{ name, versions, preferredVersion: preferred.version }];
  });
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function byName(a: DiscoveredResource, b: DiscoveredResource): number {
  return a.resource < b.resource ? -1 : 1;
}

function discovered(served: ServedResource): DiscoveredResource {
  const { definition } = served;
  return {
    resource: definition.resource,
    singular: definition.singular,
    kind: definition.kind,
    namespaced: definition.namespaced,
    verbs: definition.verbs,
    shortNames: definition.shortNames,
    categories: definition.categories,
    storageVersionHash: definition.storageVersionHash,
    returnsDeletedObject: definition.returnsDeletedObject,
    subresources: definition.subresources
      .filter((subresource) => subresource.handledBy !== undefined)
      .map(({ name, kind, verbs, connect }) => ({
        name,
        kind: kind ?? { group: definition.group, version: definition.version, kind: definition.kind },
        verbs,
        ...(connect === undefined ? {} : { connect }),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
