import type { KeyValue, RangeOptions, RangeResult } from "../store.js";
import type { MemoryData } from "./memory-data.js";

/** Answers a range as the contract of stores says. Throws RevisionCompactedError and RevisionInFutureError. */
export function rangeOf(data: MemoryData, options: RangeOptions): RangeResult {
  const { prefix, startKey, limit = Number.POSITIVE_INFINITY, revision = data.revision } = options;
  const first = startKey === undefined || startKey < prefix ? prefix : startKey;
  const kvs: KeyValue[] = [];
  let more = false;
  for (const kv of data.treeAt(revision).values(first)) {
    if (!kv.key.startsWith(prefix)) {
      break;
    }
    if (kvs.length >= limit) {
      more = true;
      break;
    }
    kvs.push(kv);
  }
  return { revision, kvs, damaged: [], more };
}
