import { randomInt } from "node:crypto";
import type { Digest } from "../log/digest.js";

/** Of 128 bits, in four words, the first of which is not zero. */
export type Fingerprint = readonly [number, number, number, number];

const wordsEach = 4;
const firstCapacity = 1024;

/**
 * Remembers the last fingerprints: at least `window` of them, at most twice as many. 128 bits of SHA-256 are enough: for
 * one chance in a million that two different events share them, there must have been 10^16. Costs 128 bytes for each
 * fingerprint of the window at most, and grows with use.
 */
export class FingerprintSet {
  readonly #window: number;
  #recent = new Generation();
  #older = new Generation();

  constructor(window: number) {
    this.#window = window;
  }

  has(fingerprint: Fingerprint): boolean {
    return this.#recent.has(fingerprint) || this.#older.has(fingerprint);
  }

  add(fingerprint: Fingerprint): void {
    if (this.#recent.size >= this.#window) {
      this.#older = this.#recent;
      this.#recent = new Generation();
    }
    this.#recent.add(fingerprint);
  }
}

/** What identifies an event of a sender: nobody can make an event that is taken for one of another sender. */
export function fingerprintOf(sender: Digest, event: Digest): Fingerprint {
  return [wordOf(sender, event, 0) || 1, wordOf(sender, event, 4), wordOf(sender, event, 8), wordOf(sender, event, 12)];
}

function wordOf(sender: Digest, event: Digest, at: number): number {
  return (
    (sender.charCodeAt(at) ^ event.charCodeAt(at)) |
    ((sender.charCodeAt(at + 1) ^ event.charCodeAt(at + 1)) << 8) |
    ((sender.charCodeAt(at + 2) ^ event.charCodeAt(at + 2)) << 16) |
    ((sender.charCodeAt(at + 3) ^ event.charCodeAt(at + 3)) << 24)
  );
}

/** A table of open addressing, never more than half full. A slot that begins with zero is free. */
class Generation {
  #words = new Int32Array(firstCapacity * wordsEach);
  #mask = firstCapacity - 1;
  /** Secret factors: nobody can choose events that all fall on one place. */
  readonly #factors = Array.from({ length: wordsEach }, () => randomInt(2 ** 31) * 2 + 1);
  size = 0;

  has(fingerprint: Fingerprint): boolean {
    return this.#words[this.#slotOf(fingerprint)] !== 0;
  }

  add(fingerprint: Fingerprint): void {
    if (this.size * 2 >= this.#mask) {
      this.#grow();
    }
    const at = this.#slotOf(fingerprint);
    if (this.#words[at] === 0) {
      this.#put(at, fingerprint);
      this.size++;
    }
  }

  /** Where the fingerprint is, or else where it would be. */
  #slotOf([first, second, third, fourth]: Fingerprint): number {
    const words = this.#words;
    const [f0, f1, f2, f3] = this.#factors as [number, number, number, number];
    const mixed = Math.imul(first, f0) + Math.imul(second, f1) + Math.imul(third, f2) + Math.imul(fourth, f3);
    let slot = ((mixed | 0) >>> 7) & this.#mask;
    for (;;) {
      const at = slot * wordsEach;
      if (
        words[at] === 0 ||
        (words[at] === first && words[at + 1] === second && words[at + 2] === third && words[at + 3] === fourth)
      ) {
        return at;
      }
      slot = (slot + 1) & this.#mask;
    }
  }

  #put(at: number, [first, second, third, fourth]: Fingerprint): void {
    this.#words[at] = first;
    this.#words[at + 1] = second;
    this.#words[at + 2] = third;
    this.#words[at + 3] = fourth;
  }

  #grow(): void {
    const old = this.#words;
    this.#mask = this.#mask * 2 + 1;
    this.#words = new Int32Array((this.#mask + 1) * wordsEach);
    for (let at = 0; at < old.length; at += wordsEach) {
      if (old[at] !== 0) {
        const kept = [old[at], old[at + 1], old[at + 2], old[at + 3]] as [number, number, number, number];
        this.#put(this.#slotOf(kept), kept);
      }
    }
  }
}
