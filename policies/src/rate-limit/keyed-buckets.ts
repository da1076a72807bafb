import { TokenBucket } from "./token-bucket.js";

/** The limit of each key, and the number of keys that are kept. */
export interface KeyedBucketsOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** The limit of keys. The least recently used is forgotten first, and begins with a full bucket again. */
  readonly maxKeys: number;
}

/** A set of token buckets by key. */
export class KeyedBuckets {
  readonly #options: KeyedBucketsOptions;
  /** The buckets, the least recently used first. */
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(options: KeyedBucketsOptions) {
    this.#options = options;
  }

  /** Takes a token from the bucket of a key, if there is one. */
  tryTake(key: string, nowMs: number): boolean {
    const { perSecond, burst, maxKeys } = this.#options;
    const known = this.#buckets.get(key);
    const bucket = known ?? new TokenBucket(perSecond, burst, nowMs);
    if (known !== undefined) {
      this.#buckets.delete(key);
    } else if (this.#buckets.size >= maxKeys) {
      const { value: oldest } = this.#buckets.keys().next();
      this.#buckets.delete(oldest as string);
    }
    this.#buckets.set(key, bucket);
    return bucket.tryTake(nowMs);
  }
}
