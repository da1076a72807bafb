import type { JsonObject } from "@gatehouse/envelopes";

/**
 * A resource whose objects a hook reads. `T` is what they are taken to be. Made once, named in `reads` of the hook, and
 * given to `lookup` in its handler.
 */
export interface ReadableResource<T = JsonObject> {
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural name, as in paths: `namespaces`. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** For the compiler only: what ties the type to the value. */
  readonly objects?: readonly T[];
}

/** Where an object is. The namespace is left out for what belongs to none. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/**
 * Reads other objects from memory, where they are kept as of a moment ago by watching the API server. Throws TypeError
 * for a resource that the hook has not named in `reads`, and Error while the objects have not arrived yet: a hook that
 * goes on from nothing would decide wrongly. Objects are shared and must not be changed.
 */
export interface Lookup {
  get<T>(resource: ReadableResource<T>, key: ObjectKey): T | undefined;
  /** All objects, or those of one namespace, in the order of their names. */
  list<T>(resource: ReadableResource<T>, namespace?: string): readonly T[];
}

/** For hooks that read nothing. */
export const emptyLookup: Lookup = Object.freeze({
  get: refuse,
  list: refuse,
});

function refuse(resource: ReadableResource<unknown>): never {
  throw new TypeError(`the hook does not name ${resource.resource} among what it reads`);
}
