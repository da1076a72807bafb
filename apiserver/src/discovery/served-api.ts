import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionKind } from "@gatehouse/envelopes/schema";

/**
 * What discovery and OpenAPI tell about: every group version that is served at one moment, and the resources in it.
 * Immutable: when a custom kind comes or goes, a new one is made, in which what did not change are the same values.
 * Documents are kept by the identity of the values that they are made of.
 */
export interface ServedApi {
  /** In order of priority, highest first: the order in which clients see them. The core group has the name "". */
  readonly groups: readonly ServedGroup[];
  /** Where clients reach this server, by the network they come from (`/api` only). */
  readonly serverAddresses: readonly ServerAddress[];
}

/** Where clients from a network reach this server. */
export interface ServerAddress {
  readonly clientCIDR: string;
  /** `host:port` */
  readonly serverAddress: string;
}

/** An API group with the versions that are served. */
export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** In order of priority. Never empty. */
  readonly versions: readonly ServedGroupVersion[];
  readonly preferredVersion: string;
}

/** A version of an API group with its resources. */
export interface ServedGroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Sorted by name, as v1.29 shows them. */
  readonly resources: readonly DiscoveredResource[];
  /** `Stale` when another server answers for this group version and cannot be asked at the moment. */
  readonly freshness?: "Current" | "Stale";
  /** Another server answers for this group version: its resource list and OpenAPI document are not made here. */
  readonly delegated?: boolean;
}

/** A resource as clients get to know it. */
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
  /** The shape of a custom kind as its definition states it, read when asked for. Absent for kinds of the built-in IDL. */
  readonly openAPIV3Schema?: () => JsonObject;
}

/** What stands behind the name of an object: `pods/<name>/log`. */
export interface DiscoveredSubresource {
  /** Without the name of the resource. */
  readonly name: string;
  /** What is read and written there. */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
  /** Requests are passed on to something else, by whatever method; `kind` holds the query parameters. */
  readonly connect?: { readonly takesPath: boolean };
}
