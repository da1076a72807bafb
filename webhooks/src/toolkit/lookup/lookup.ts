import type { ObjectCache } from "./object-cache.js";
import type { ObjectKey, ReadableResource } from "./readable-resource.js";

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
