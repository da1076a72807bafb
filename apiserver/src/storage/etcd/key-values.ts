import { type KeyValue, maxKeyBytes } from "../store.js";
import type { EtcdKeyValue } from "./api/kv.js";

/** The first and the end of all keys, in etcd's notation. */
export const allKeys: KeyRange = { key: Buffer.of(0), rangeEnd: Buffer.of(0) };

/** Keys from `key` up to, but without, `rangeEnd`. */
export interface KeyRange {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
}

/** Returns the bytes of a key. Throws TypeError if no store accepts it. */
export function encodeKey(key: string): Buffer {
  const bytes = Buffer.from(key);
  if (bytes.length === 0 || bytes.length > maxKeyBytes) {
    throw new TypeError(`a key has 1 to ${maxKeyBytes} bytes, not ${bytes.length}`);
  }
  return bytes;
}

/** Returns the range of the keys that start with `prefix`, from `startKey` on when that lies in it. */
export function rangeOfPrefix(prefix: string, startKey?: string): KeyRange {
  const first = prefix === "" ? allKeys.key : Buffer.from(prefix);
  const start = Buffer.from(startKey ?? "");
  const key = Buffer.compare(start, first) > 0 ? start : first;
  return { key, rangeEnd: endOfPrefix(prefix) };
}

/** Returns the smallest key after all those that start with `prefix`. */
function endOfPrefix(prefix: string): Buffer {
  const end = Buffer.from(prefix);
  for (let last = end.length - 1; last >= 0; last--) {
    const byte = end[last] as number;
    if (byte < 0xff) {
      end[last] = byte + 1;
      return end.subarray(0, last + 1);
    }
  }
  return allKeys.rangeEnd;
}

/** Returns the store's form of a key and its value. */
export function keyValueOf({ key, value, createRevision, modRevision }: EtcdKeyValue): KeyValue {
  return { key: key.toString(), value, createRevision, modRevision };
}
