import type { JsonObject } from "@gatehouse/envelopes";
import type { ObjectCache } from "./object-cache.js";

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

/** Reads from caches by `apiVersion/resource`. */
export function lookupIn(caches: ReadonlyMap<string, ObjectCache>): Lookup {
  const cacheOf = ({ apiVersion, resource }: ReadableResource<unknown>): ObjectCache => {
    const cache = caches.get(`${apiVersion}/${resource}`);
    if (cache === undefined) {
      throw new TypeError(`the hook does not name ${resource} of ${apiVersion} in what it reads`);
    }
    if (!cache.isComplete) {
      throw new Error(`the objects of ${resource} have not arrived yet`);
    }
    return cache;
  };
  return {
    get: <T>(resource: ReadableResource<T>, { namespace = "", name }: ObjectKey) =>
      cacheOf(resource).get(namespace, name) as T | undefined,
    list: <T>(resource: ReadableResource<T>, namespace?: string) =>
      cacheOf(resource).list(namespace) as unknown as readonly T[],
  };
}

/** For hooks that read nothing. */
export const emptyLookup: Lookup = lookupIn(new Map());
