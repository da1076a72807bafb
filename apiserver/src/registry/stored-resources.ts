import type { StoredResource } from "../storage/encryption/index.js";
import type { ResourceDefinition } from "./resource-definition.js";

/** Returns where the resources of definitions are stored, each once. */
export function storedResources(definitions: readonly ResourceDefinition[]): readonly StoredResource[] {
  const byPrefix = new Map<string, StoredResource>();
  for (const { resource, storage } of definitions) {
    if (storage !== undefined) {
      byPrefix.set(storage.prefix, { group: storage.group, resource, prefix: storage.prefix });
    }
  }
  return [...byPrefix.values()];
}
