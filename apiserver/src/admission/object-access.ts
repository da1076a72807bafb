import type { JsonObject } from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { GroupVersionResource } from "@gatehouse/envelopes/schema";
import type { GroupResource } from "@gatehouse/envelopes/status";
import type { MaybePromise } from "../request/handler.js";

/**
 * The access of plugins to other objects. Writes are those of the API server itself, and pass admission as all others
 * do.
 */
export interface ObjectAccess {
  /**
   * Objects of one resource, as what a plugin makes of them: `compile` is called once for each state of an object that
   * is looked at. There is nothing to see where the resource is not served. Made once for each plugin, at start.
   */
  view<T>(resource: GroupResource, compile: (object: JsonObject) => T): ObjectView<T>;

  /**
   * Objects of a resource in one of its versions, which need not have been known at the start. A version that is not
   * served has none.
   */
  reader(resource: GroupVersionResource): ObjectReader;

  /** Finds the resource of a kind, as owner references name it. Undefined when it is not served. */
  findKind(apiVersion: string, kind: string): KnownResource | undefined;

  /** Creates an object and answers with it as it is stored. Rejects with a StatusError, 409 when the name is taken. */
  create(resource: GroupResource, object: JsonObject): Promise<JsonObject>;

  /**
   * Changes an object, again and again until nobody interferes. `revise` gets a copy that it may change; it answers with
   * what to write, or with undefined when there is nothing to do. Rejects with a StatusError, 404 when there is none.
   */
  update(
    resource: GroupResource,
    target: { readonly namespace: string; readonly name: string; readonly subresource?: string },
    revise: (object: JsonObject) => JsonObject | undefined,
  ): Promise<void>;
}

/** A resource that is served, in one of its versions. */
export interface KnownResource extends GroupResource {
  readonly version: string;
  readonly namespaced: boolean;
}

/** The name of an object of a resource. The namespace is empty for cluster-scoped objects. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** The objects of one resource for a plugin, read from the watch cache, which may be a moment behind. */
export interface ObjectView<T> {
  /** Returns an object; undefined when there is none. The namespace is empty for cluster-scoped objects. */
  get(namespace: string, name: string): T | undefined;
  /**
   * Lists the objects of a namespace, or all for an empty one, in the order of their names. The list of all is the same
   * list until one of them changes.
   */
  list(namespace: string): readonly T[];
  /**
   * Iterates over the objects of `list` for one pass over many: each is read only when it is called for, and not kept.
   */
  each(namespace: string): Iterable<() => T>;
  /**
   * Resolves when `get` and `list` know of everything that is committed now; of one object alone where `only` names it.
   */
  catchUp(signal: AbortSignal, only?: ObjectName): Promise<void>;
}

/**
 * The objects of one version of a resource as clients read them, kind and apiVersion included. Read from the watch cache,
 * which is filled first. The same object comes again until it changes, and must not be changed by the reader.
 */
export interface ObjectReader {
  /** Returns an object; undefined when there is none. The namespace is empty for cluster-scoped objects. */
  get(namespace: string, name: string, context: StepContext): MaybePromise<JsonObject | undefined>;
  /** Lists the objects of a namespace, or all for an empty one, in the order of their names. */
  list(namespace: string, context: StepContext): MaybePromise<readonly JsonObject[]>;
}
