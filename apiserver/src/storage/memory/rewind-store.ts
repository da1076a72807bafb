import type { KeyValue, Store, WriteResult } from "../store.js";
import { readImage, type StoreImage } from "./store-image.js";

const maxAttempts = 100;

/**
 * Writes the keys and values of an image back into a store, below a prefix, all at once, under new revisions; what is as in the image is
 * left alone. Then forgets the history before, so that no watch can go on from it. Resolves to the revision reached.
 * Rejects when others change keys so often that a hundred attempts have not reached the image.
 */
export async function rewindStore(
  store: Store,
  image: StoreImage,
  { keyPrefix, now }: { readonly keyPrefix: string; readonly now: () => number },
): Promise<number> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const current = await readImage(store, keyPrefix);
    const writes = differences(store, { from: current, to: image, now });
    if (writes.length === 0) {
      await store.compact(current.revision);
      return current.revision;
    }
    await Promise.all(writes);
  }
  throw new Error("the state of the snapshot could not be reached, since others go on writing");
}

/** Starts the writes that turn one state into another. They are started together, so that the store commits them together. */
function differences(
  store: Store,
  { from, to, now }: { readonly from: StoreImage; readonly to: StoreImage; readonly now: () => number },
): Promise<WriteResult>[] {
  const writes: Promise<WriteResult>[] = [];
  for (const kv of to.tree.values()) {
    const current = from.tree.get(kv.key);
    if (current !== kv && (current === undefined || !current.value.equals(kv.value))) {
      writes.push(store.put(kv.key, kv.value, { expectedRevision: current?.modRevision ?? 0, ...ttlOf(kv, now()) }));
    }
  }
  for (const { key, modRevision } of from.tree.values()) {
    if (!to.tree.has(key)) {
      writes.push(store.delete(key, { expectedRevision: modRevision }));
    }
  }
  return writes;
}

/** The time that a key still has to live; one that is over already ends at the next look for expired keys. */
function ttlOf({ expiresAtMs }: KeyValue, nowMs: number): { readonly ttlSeconds?: number } {
  return expiresAtMs === undefined ? {} : { ttlSeconds: Math.max(0.001, (expiresAtMs - nowMs) / 1000) };
}
