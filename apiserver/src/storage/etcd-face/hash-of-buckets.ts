import type { BoltBucket } from "../bolt/index.js";
import { crc32c } from "./crc32c.js";

/** The entries that etcd leaves out: they differ between members that have the same data. */
const ignored: Readonly<Record<string, ReadonlySet<string>>> = {
  meta: new Set(["consistent_index", "term"]),
};

/**
 * Computes the hash of a backend as etcd's `Maintenance.Hash` does: CRC-32C over the names, keys and values of all
 * buckets in their order. Rejects as the reading of the buckets does.
 */
export async function hashOfBuckets(buckets: readonly BoltBucket[]): Promise<number> {
  let hash = 0;
  for (const { name, entries } of buckets.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    hash = crc32c(Buffer.from(name), hash);
    for await (const batch of entries()) {
      for (const { key, value } of batch) {
        if (ignored[name]?.has(key.toString("latin1")) !== true) {
          hash = crc32c(value, crc32c(key, hash));
        }
      }
    }
  }
  return hash;
}
