import type { ObjectCache } from "./object-cache.js";
import type { ObjectKey, ReadableResource } from "./readable-resource.js";

/**
 * A reader of other objects of the cluster, from memory: they are kept by watching the API server and may be a moment
 * old. Both methods throw TypeError for a resource that no hook has named in `reads`, and Error while the objects have
 * not arrived yet: a hook that took them for absent would decide wrongly. Objects are shared and must not be changed.
 */
export interface Lookup {
  /** Returns one object; undefined when there is none of that name. */
  get<T>(resource: ReadableResource<T>, key: ObjectKey): T | undefined;
  /** Returns all objects, or those of one namespace, in the order of their names. */
  list<T>(resource: ReadableResource<T>, namespace?: string): readonly T[];
}

/** Returns a lookup in caches, which are kept by `apiVersion/resource`. */
export function lookupIn(caches: ReadonlyMap<string, ObjectCache>): Lookup {
  const cacheOf = ({ apiVersion, resource }: ReadableResource<unknown>): ObjectCache => {
    const cache = caches.get(`${apiVersion}/${resource}`);
    if (cache === undefined) {
      throw new TypeError(
        `the lookup does not follow ${resource} of ${apiVersion}: name it in \`reads\` of a hook that the lookup is opened for`,
      );
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

/** A lookup for hooks that read nothing: both methods throw TypeError. */
export const emptyLookup: Lookup = lookupIn(new Map());
