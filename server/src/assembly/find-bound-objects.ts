import type { RegistrySource } from "@gatehouse/apiserver/registry";
import type { BoundObjects } from "../service-accounts/bound-objects.js";

/**
 * The objects of this server that tokens are bound to. `remembered`: from the cache, which may be a moment behind, and
 * from the store what the cache does not know yet; `stored`: as they are in the store.
 */
export function boundObjects(liveRegistry: RegistrySource, from: "remembered" | "stored"): BoundObjects {
  return {
    async find(resource, namespace, name) {
      const served = liveRegistry.current.find("", "v1", resource);
      if (served === undefined) {
        return undefined;
      }
      const { storage } = served;
      const key = storage.keyOf(namespace, name);
      await storage.cache.ready();
      const remembered = from === "remembered" ? storage.cache.get(key) : undefined;
      const entry = remembered ?? (await storage.read(key));
      return entry === undefined ? undefined : served.form.decode(entry);
    },
  };
}
