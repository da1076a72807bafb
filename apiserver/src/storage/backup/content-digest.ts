import { createHash } from "node:crypto";

/**
 * A digest of a set of keys with their values, whatever the order in which they are added: the sum of their SHA-256,
 * modulo 2^256, and their number.
 */
export class ContentDigest {
  #sum = 0n;
  #keys = 0;

  get keys(): number {
    return this.#keys;
  }

  add(key: string, value: Buffer): void {
    const keyBytes = Buffer.from(key);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(keyBytes.length);
    const hash = createHash("sha256").update(length).update(keyBytes).update(value).digest("hex");
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
    this.#keys++;
  }

  equals(other: ContentDigest): boolean {
    return this.#keys === other.#keys && this.#sum === other.#sum;
  }
}
