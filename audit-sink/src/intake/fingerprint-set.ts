import { randomInt } from "node:crypto";
import { type Digest, digestOf } from "../log/digest.js";

/** Salt of one sender's fingerprints: four words that are mixed in. */
export type SenderSalt = readonly [number, number, number, number];

/** Returns the salt of a sender. Nobody can make an event whose fingerprint equals that of another sender's. */
export function senderSalt(sender: string): SenderSalt {
  const digest = digestOf(Buffer.from(sender));
  return [wordOf(digest, 0), wordOf(digest, 4), wordOf(digest, 8), wordOf(digest, 12)];
}

/**
 * Remembers the last events by fingerprints of 128 bits, mixed of sender and digest: at least `window` of them, at most
 * twice as many. For one chance in a million that two different events share a fingerprint there must have been 10^16 of
 * them. Costs 128 bytes for each event of the window at most, and grows with use.
 */
export class FingerprintSet {
  readonly #window: number;
  #recent = new Generation();
  #older = new Generation();

  constructor(window: number) {
    this.#window = window;
  }

  /** Remembers an event; false if it was known already. */
  add(salt: SenderSalt, digest: Digest): boolean {
    if (this.#recent.size >= this.#window) {
      this.#older = this.#recent;
      this.#recent = new Generation();
    }
    const [s0, s1, s2, s3] = salt;
    const w0 = usable(wordOf(digest, 0) ^ s0);
    const w1 = wordOf(digest, 4) ^ s1;
    const w2 = wordOf(digest, 8) ^ s2;
    const w3 = wordOf(digest, 12) ^ s3;
    return (this.#older.size === 0 || !this.#older.has(w0, w1, w2, w3)) && this.#recent.add(w0, w1, w2, w3);
  }

  has(salt: SenderSalt, digest: Digest): boolean {
    const [s0, s1, s2, s3] = salt;
    const w0 = usable(wordOf(digest, 0) ^ s0);
    const w1 = wordOf(digest, 4) ^ s1;
    const w2 = wordOf(digest, 8) ^ s2;
    const w3 = wordOf(digest, 12) ^ s3;
    return this.#recent.has(w0, w1, w2, w3) || this.#older.has(w0, w1, w2, w3);
  }

  /** Forgets an event again. */
  delete(salt: SenderSalt, digest: Digest): void {
    const [s0, s1, s2, s3] = salt;
    const w0 = usable(wordOf(digest, 0) ^ s0);
    const w1 = wordOf(digest, 4) ^ s1;
    const w2 = wordOf(digest, 8) ^ s2;
    const w3 = wordOf(digest, 12) ^ s3;
    this.#recent.delete(w0, w1, w2, w3);
    this.#older.delete(w0, w1, w2, w3);
  }
}

function wordOf(digest: Digest, at: number): number {
  return (
    digest.charCodeAt(at) |
    (digest.charCodeAt(at + 1) << 8) |
    (digest.charCodeAt(at + 2) << 16) |
    (digest.charCodeAt(at + 3) << 24)
  );
}

/** First words that mark slots: nothing was ever there, or something has been deleted. */
const free = 0;
const deleted = -1;

function usable(first: number): number {
  return first === free || first === deleted ? 1 : first;
}

const wordsEach = 4;
const firstCapacity = 1024;

/** A table of open addressing, never more than half full. */
class Generation {
  #words = new Int32Array(firstCapacity * wordsEach);
  #mask = firstCapacity - 1;
  /** Secret factors: nobody can choose events that all fall on one place. */
  readonly #f0 = randomInt(2 ** 31) * 2 + 1;
  readonly #f1 = randomInt(2 ** 31) * 2 + 1;
  /** Slots that are not free. */
  size = 0;

  has(w0: number, w1: number, w2: number, w3: number): boolean {
    return this.#words[this.#find(w0, w1, w2, w3)] === w0;
  }

  /** Adds a fingerprint; returns false if it was there already. */
  add(w0: number, w1: number, w2: number, w3: number): boolean {
    if (this.size * 2 >= this.#mask) {
      this.#grow();
    }
    const at = this.#find(w0, w1, w2, w3);
    if (this.#words[at] === w0) {
      return false;
    }
    this.#put(at, w0, w1, w2, w3);
    return true;
  }

  delete(w0: number, w1: number, w2: number, w3: number): void {
    const at = this.#find(w0, w1, w2, w3);
    if (this.#words[at] === w0) {
      this.#words[at] = deleted;
    }
  }

  /** Returns the index of a fingerprint, or else of the free slot where its search ends. */
  #find(w0: number, w1: number, w2: number, w3: number): number {
    const words = this.#words;
    // Digests are spread evenly; the factors only keep the place secret.
    const mixed = Math.imul(w0, this.#f0) + Math.imul(w1, this.#f1);
    let slot = ((mixed | 0) >>> 6) & this.#mask;
    for (;;) {
      const at = slot * wordsEach;
      const first = words[at];
      if (first === free || (first === w0 && words[at + 1] === w1 && words[at + 2] === w2 && words[at + 3] === w3)) {
        return at;
      }
      slot = (slot + 1) & this.#mask;
    }
  }

  #put(at: number, w0: number, w1: number, w2: number, w3: number): void {
    const words = this.#words;
    words[at] = w0;
    words[at + 1] = w1;
    words[at + 2] = w2;
    words[at + 3] = w3;
    this.size++;
  }

  #grow(): void {
    const old = this.#words;
    this.#mask = this.#mask * 2 + 1;
    this.#words = new Int32Array((this.#mask + 1) * wordsEach);
    this.size = 0;
    for (let at = 0; at < old.length; at += wordsEach) {
      const [w0, w1, w2, w3] = [old[at], old[at + 1], old[at + 2], old[at + 3]] as [number, number, number, number];
      if (w0 !== free && w0 !== deleted) {
        this.#put(this.#find(w0, w1, w2, w3), w0, w1, w2, w3);
      }
    }
  }
}
