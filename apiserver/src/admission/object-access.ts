import type { GroupResource, JsonObject } from "@gatehouse/envelopes";

/** How plugins get at other objects. Writes are those of the API server itself, and pass admission as all others do. */
export interface ObjectAccess {
  /**
   * Objects of one resource, as what a plugin makes of them: `compile` is called once for each state of an object that
   * is looked at. There is nothing to see where the resource is not served. Made once for each plugin, at start.
   */
  view<T>(resource: GroupResource, compile: (object: JsonObject) => T): ObjectView<T>;

  /** The resource of a kind, as owner references name it. Undefined when it is not served. */
  findKind(apiVersion: string, kind: string): KnownResource | undefined;

  /** Answers with the object as it is stored. Rejects with a StatusError, 409 when the name is taken. */
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

/** What a plugin reads of one resource: the watch cache, which may be a moment behind. */
export interface ObjectView<T> {
  /** Undefined when there is no such object. The namespace is empty for objects that are in none. */
  get(namespace: string, name: string): T | undefined;
  /** Those of a namespace, or all with an empty one, in the order of their names. */
  list(namespace: string): readonly T[];
  /** The same for who looks at many, and once: each is read when it is called for, and nothing is kept of it. */
  each(namespace: string): Iterable<() => T>;
  /** Resolves when `get` and `list` know of everything that is committed now. */
  catchUp(signal: AbortSignal): Promise<void>;
}
