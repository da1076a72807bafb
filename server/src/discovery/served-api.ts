import type { GroupVersionKind, JsonObject } from "@gatehouse/envelopes";

/**
 * What discovery and OpenAPI tell about: every group version that is served at one moment, and the resources in it.
 * A snapshot: when a custom kind comes or goes, a new one is made.
 */
export interface ServedApi {
  /** In order of priority, highest first: the order in which clients see them. The core group has the name "". */
  readonly groups: readonly ServedGroup[];
  /** Where clients reach this server, by the network they come from (`/api` only). */
  readonly serverAddresses: readonly ServerAddress[];
}

export interface ServerAddress {
  readonly clientCIDR: string;
  readonly serverAddress: string;
}

export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** In order of priority. Never empty. */
  readonly versions: readonly ServedGroupVersion[];
  readonly preferredVersion: string;
}

export interface ServedGroupVersion {
  readonly version: string;
  /** Sorted by name, as v1.29 shows them. */
  readonly resources: readonly DiscoveredResource[];
  /** `Stale` when another server answers for this group version and cannot be asked at the moment. */
  readonly freshness?: "Current" | "Stale";
  /** Another server answers for this group version: its resource list and OpenAPI document are not made here. */
  readonly delegated?: boolean;
}

export interface DiscoveredResource {
  /** Plural name, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** In the order in which clients see them. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Empty when the resource is not stored. */
  readonly storageVersionHash: string;
  /** Sorted by name. */
  readonly subresources: readonly DiscoveredSubresource[];
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /** The shape of a custom kind as its definition states it. Absent for kinds of the built-in IDL. */
  readonly openAPIV3Schema?: JsonObject;
}

export interface DiscoveredSubresource {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
  /** Requests are passed on to something else, by whatever method; `kind` holds the query parameters. */
  readonly connect?: { readonly takesPath: boolean };
}
