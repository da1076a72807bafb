import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import type { Verb } from "../registry/resource-definition.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import type { PropagationPolicy } from "../verbs/delete-options.js";

/**
 * The access of controllers to objects: by group and resource, as plain JSON, through the same admission, validation
 * and storage as requests, but without HTTP. Reads named `cached` see the watch cache; all others are fresh. Failures
 * are StatusErrors, as clients see them.
 */
export interface ObjectClient {
  /** Lists the stored resources that are served, one per kind of object, regardless of the number of versions. */
  resources(): readonly ClientResource[];

  /**
   * Calls `begin` for each of these resources, at once and when another one comes to be served. What `begin` gets with it
   * aborts when the resource is no longer served, or with `signal`.
   */
  followResources(begin: (resource: ClientResource, served: AbortSignal) => void, signal: AbortSignal): void;

  /** Finds a resource; undefined when it is not served here. */
  find(resource: WantedResource): ClientResource | undefined;

  /** Finds the resource of a kind, as owner references name it. Undefined when it is not served here. */
  findKind(apiVersion: string, kind: string): ClientResource | undefined;

  /** Finds a resource in the version that clients prefer which name none. Undefined when it is not served here. */
  findPreferred(resource: GroupResource): ClientResource | undefined;

  /** Resolves to an object; undefined when there is none. */
  get(resource: WantedResource, namespace: string, name: string): Promise<JsonObject | undefined>;

  /** Returns an object from the cache without waiting; undefined when the cache has none. */
  cached(resource: WantedResource, namespace: string, name: string): CacheEntry | undefined;

  /** Lists the objects of a namespace, or all for an empty one, after the cache has caught up with the store. */
  list(resource: WantedResource, namespace: string): Promise<readonly ObservedObject[]>;

  /** Counts the objects of a namespace, or all for an empty one, after the cache has caught up with the store. */
  count(resource: WantedResource, namespace: string): Promise<number>;

  /** Creates an object and answers with it as it is stored. Rejects with 409 when the name is taken. */
  create(resource: WantedResource, object: JsonObject): Promise<JsonObject>;

  /**
   * Changes an object, again and again until nobody interferes. `revise` gets a copy that it may change; it answers with
   * what to write, or with undefined when there is nothing to do.
   */
  update(
    resource: WantedResource,
    target: UpdateTarget,
    revise: (object: JsonObject) => JsonObject | undefined,
  ): Promise<void>;

  /**
   * Applies a partial object by server-side apply, and takes fields from other managers that own them. Rejects with 404
   * when the target is a part of an object that is missing.
   */
  apply(resource: WantedResource, target: UpdateTarget, partial: JsonObject, fieldManager: string): Promise<void>;

  /** Deletes an object, or begins to. One that is gone already is no failure. */
  delete(resource: WantedResource, namespace: string, name: string, options?: ClientDeleteOptions): Promise<void>;

  /**
   * Tells the observer of all objects and then of every change, in order, until the signal aborts. Resolves when all
   * objects have been told.
   */
  observe(resource: WantedResource, observer: ObjectObserver, signal: AbortSignal): Promise<void>;

  /** Resolves when the observers know of everything that is committed now. */
  catchUp(): Promise<void>;
}

/** A resource that a client asks for: in the version that is named where that is served, otherwise in any. */
export interface WantedResource extends GroupResource {
  readonly version?: string;
}

/** A stored resource, in one of the versions that serve it: controllers read and write that one. */
export interface ClientResource extends GroupResource {
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** Returns the desired replicas of an object, as its Scale shows them. Absent for kinds without a Scale. */
  readonly replicasOf?: (object: JsonObject) => number;
}

/** The object to change, or a part of it. The namespace is empty for objects that are in none. */
export interface UpdateTarget {
  readonly namespace: string;
  readonly name: string;
  /** The subresource `status` or `finalize`; absent for the object itself. */
  readonly subresource?: string;
}

/** The members of meta/v1 DeleteOptions. A precondition that does not hold is a 409. */
export interface ClientDeleteOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: PropagationPolicy;
  readonly gracePeriodSeconds?: number;
}

/** An object as the watch cache has it: bytes, parsed when asked for. */
export interface ObservedObject {
  readonly namespace: string;
  readonly name: string;
  readonly entry: CacheEntry;
}

/** A change of an object. `entry` is the state after it, or the last one of a deleted object. */
export interface ObservedEvent extends ObservedObject {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly previous: CacheEntry | undefined;
}

/**
 * An observer of objects, called one call at a time as the watch cache learns of a change. Each call holds up all other
 * work, so it must only note what there is to do. Entries are shared and must not be changed.
 */
export interface ObjectObserver {
  /**
   * Takes all objects, in parts without a particular order: at the beginning, and again when changes may have been
   * missed.
   */
  onList(objects: readonly ObservedObject[]): void;
  /** Takes a change, after all of the first `onList`. */
  onEvent(event: ObservedEvent): void;
  /** Called after a repeated list, since changes may have been missed: objects that were not in it are gone. */
  onMissed?(): void;
  /** Called with an error that another callback has thrown; the observation goes on. */
  onError(error: unknown): void;
}
