import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionKind } from "@gatehouse/envelopes/schema";

/**
 * The subject of discovery and OpenAPI: every group version that is served at one moment, with its resources.
 * Immutable: when a custom kind comes or goes, a new value is made, in which the unchanged parts are the same values.
 * Documents are kept by the identity of the values that they are made of.
 */
export interface ServedApi {
  /** The groups by priority, highest first, as clients see them. The core group has the name "". */
  readonly groups: readonly ServedGroup[];
  /** Addresses of this server by the client's network (`/api` only). */
  readonly serverAddresses: readonly ServerAddress[];
  /** The Swagger 2.0 documents of other servers in order of priority; a new list whenever one has changed. */
  readonly foreignSpecs?: readonly ForeignSpec[];
  /** The OpenAPI 3.0 documents of other servers, by id (`apis/wardle.example.com/v1`), with the URLs that lead there. */
  readonly foreignDocuments?: ReadonlyMap<string, string>;
  /**
   * The OpenAPI 3.0 documents, by id, that this server has made for other servers, which have only Swagger 2.0. A document
   * that has not changed is the same value.
   */
  readonly convertedDocuments?: ReadonlyMap<string, JsonObject>;
}

/** A Swagger 2.0 document of another server, as far as this server publishes it. */
export interface ForeignSpec {
  /** Path items of paths below `/apis/`, without references to shared parameters. */
  readonly paths: ReadonlyMap<string, JsonObject>;
  /** The definitions that these refer to, directly or not. */
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

/** The address of this server for clients from one network. */
export interface ServerAddress {
  readonly clientCIDR: string;
  /** The address as `host:port`. */
  readonly serverAddress: string;
}

/** An API group with the versions that are served. */
export interface ServedGroup {
  /** The name of the group; empty for the core group. */
  readonly name: string;
  /** The versions in order of priority; at least one. */
  readonly versions: readonly ServedGroupVersion[];
  readonly preferredVersion: string;
  /**
   * The rank of the group in aggregated discovery, highest first, then by name. Absent where other servers serve nothing:
   * then the order of the groups counts.
   */
  readonly priority?: number;
}

/** A version of an API group with its resources. */
export interface ServedGroupVersion {
  /** The name of the group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The resources, sorted by name as v1.29 shows them. */
  readonly resources: readonly DiscoveredResource[];
  /** The freshness: `Stale` when another server serves this group version and cannot be reached at the moment. */
  readonly freshness?: "Current" | "Stale";
  /** True if another server serves this group version: its resource list and OpenAPI document are not made here. */
  readonly delegated?: boolean;
  /** The APIVersionDiscovery that the other server of a delegated group version states; absent if none is known. */
  readonly statedDiscovery?: JsonObject;
}

/** A resource as clients get to know it. */
export interface DiscoveredResource {
  /** Plural name, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The verbs in the order in which clients see them. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The storage version hash; empty when the resource is not stored. */
  readonly storageVersionHash: string;
  /** The subresources, in the order in which clients see them: sorted by name, but for custom kinds. */
  readonly subresources: readonly DiscoveredSubresource[];
  /** True if DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /** Returns the schema of a custom kind for documents. Absent for kinds of the built-in IDL. */
  readonly openAPIV3Schema?: PublishedSchema;
}

/**
 * Returns the schema of a custom kind as its definition states it, for documents of a version of OpenAPI. Undefined where they
 * show that of any object.
 */
export type PublishedSchema = (version: 2 | 3) => JsonObject | undefined;

/** A subresource, behind the name of an object: `pods/<name>/log`. */
export interface DiscoveredSubresource {
  /** The name of the subresource without that of the resource: `log`. */
  readonly name: string;
  /** The kind that is read and written there. */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
  /** Set if requests are forwarded, by whatever method; `kind` holds the query parameters. */
  readonly connect?: { readonly takesPath: boolean };
}
