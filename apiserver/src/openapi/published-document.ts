import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/**
 * The length in bytes from which documents are compressed, as in v1.29: shorter ones would not fit into fewer packets.
 */
const gzipThresholdBytes = 1400;

/** A document as clients get it. */
export class PublishedDocument {
  readonly json: Buffer;
  /** The hash: SHA-512 of the JSON in upper-case hexadecimal digits, whatever the encoding sent. */
  readonly hash: string;
  /** The time of the last change as an HTTP date. */
  readonly lastModified: string;
  readonly #compressed = new WeakMap<Buffer, Promise<Buffer>>();

  /** Prepares a document made at `nowMs`, in milliseconds since the epoch. */
  constructor(json: Buffer, nowMs: number) {
    this.json = json;
    this.hash = createHash("sha512").update(json).digest("hex").toUpperCase();
    this.lastModified = new Date(nowMs).toUTCString();
  }

  /** Reports whether an encoding of the document is long enough to be compressed. */
  mayCompress(bytes: Buffer): boolean {
    return bytes.length >= gzipThresholdBytes;
  }

  /** Returns an encoding of the document gzip-compressed, compressed at most once. */
  gzipOf(bytes: Buffer): Promise<Buffer> {
    let result = this.#compressed.get(bytes);
    if (result === undefined) {
      result = compress(bytes);
      this.#compressed.set(bytes, result);
    }
    return result;
  }
}
