import type { GroupResource } from "@gatehouse/envelopes/status";
import type { NamedObject, ObjectFollower, ObjectSource } from "../authorization/object-source.js";
import { namesOfKey, observeCache } from "../client/observe-cache.js";
import type { RegistrySource } from "../registry/live-registry.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";

/** Returns the objects of this server for authorizers, until the signal aborts. */
export function followObjects(
  liveRegistry: RegistrySource,
  signal: AbortSignal,
  reportFault: (error: unknown) => void,
): ObjectSource {
  return {
    async follow(resource: GroupResource, follower: ObjectFollower): Promise<void> {
      const served = liveRegistry.current.findAnyVersion(resource.group, resource.resource);
      if (served === undefined) {
        return; // Switched off by --runtime-config.
      }
      // What was there, by namespace and name, so that it is known what is gone when changes have been missed.
      const known = new Map<string, { readonly namespace: string; readonly name: string }>();
      let listed = new Set<string>();
      const present = (namespace: string, name: string, entry: CacheEntry): void => {
        known.set(entry.key, { namespace, name });
        follower.present(namespace, name, entry.object());
      };
      await observeCache(
        served.storage,
        {
          onList(objects) {
            for (const { namespace, name, entry } of objects) {
              listed.add(entry.key);
              present(namespace, name, entry);
            }
          },
          onEvent({ type, namespace, name, entry }) {
            if (type === "DELETED") {
              known.delete(entry.key);
              follower.gone(namespace, name);
            } else {
              present(namespace, name, entry);
            }
          },
          onMissed() {
            for (const [key, { namespace, name }] of known) {
              if (!listed.has(key)) {
                known.delete(key);
                follower.gone(namespace, name);
              }
            }
            listed = new Set();
          },
          onError: reportFault,
        },
        signal,
      );
      listed = new Set();
    },
    async read({ group, resource }: GroupResource, namespace: string): Promise<readonly NamedObject[]> {
      const served = liveRegistry.current.findAnyVersion(group, resource);
      const objects: NamedObject[] = [];
      if (served !== undefined) {
        for await (const entry of served.storage.readNamespace(namespace)) {
          objects.push({ name: namesOfKey(served.storage, entry.key).name, object: entry.object() });
        }
      }
      return objects;
    },
  };
}
