import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** v1.29 compresses nothing shorter: it would not fit into fewer packets. */
const gzipThresholdBytes = 1400;

/** A document as clients get it. */
export interface PublishedDocument {
  readonly json: Buffer;
  /** SHA-512 of the JSON in upper-case hexadecimal digits, whatever the encoding that is sent. */
  readonly hash: string;
  /** HTTP date. */
  readonly lastModified: string;
  gzipOf(bytes: Buffer): Promise<Buffer> | undefined;
}

export function publish(json: Buffer, nowMs: number): PublishedDocument {
  const compressed = new WeakMap<Buffer, Promise<Buffer>>();
  return {
    json,
    hash: createHash("sha512").update(json).digest("hex").toUpperCase(),
    lastModified: new Date(nowMs).toUTCString(),
    gzipOf(bytes) {
      if (bytes.length < gzipThresholdBytes) {
        return undefined;
      }
      let result = compressed.get(bytes);
      if (result === undefined) {
        result = compress(bytes);
        compressed.set(bytes, result);
      }
      return result;
    },
  };
}
