import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** v1.29 compresses nothing shorter: it would not fit into fewer packets. */
const gzipThresholdBytes = 1400;

/** A document as clients get it. */
export class PublishedDocument {
  readonly json: Buffer;
  /** SHA-512 of the JSON in upper-case hexadecimal digits, whatever the encoding that is sent. */
  readonly hash: string;
  /** HTTP date. */
  readonly lastModified: string;
  readonly #compressed = new WeakMap<Buffer, Promise<Buffer>>();

  /** `nowMs`: since the epoch. */
  constructor(json: Buffer, nowMs: number) {
    this.json = json;
    this.hash = createHash("sha512").update(json).digest("hex").toUpperCase();
    this.lastModified = new Date(nowMs).toUTCString();
  }

  /** Reports whether an encoding of the document is long enough to be compressed. */
  mayCompress(bytes: Buffer): boolean {
    return bytes.length >= gzipThresholdBytes;
  }

  /** An encoding of the document, compressed at most once. */
  gzipOf(bytes: Buffer): Promise<Buffer> {
    let result = this.#compressed.get(bytes);
    if (result === undefined) {
      result = compress(bytes);
      this.#compressed.set(bytes, result);
    }
    return result;
  }
}
