import { secretbox as nacl } from "@noble/ciphers/salsa.js";
import type { Cipher } from "./cipher.js";
import { refuseShorterThan } from "./refuse-shorter-than.js";
import { takeRandom } from "./take-random.js";

const nonceBytes = 24;
const tagBytes = 16;

/**
 * Returns a transformer by XSalsa20 and Poly1305, as NaCl's secretbox. A value at rest is a random nonce, the tag and the
 * ciphertext; the key of the store is not authenticated. Node's OpenSSL lacks these ciphers.
 */
export function secretbox(key: Buffer): Cipher {
  return {
    toParts(_storeKey, value) {
      const nonce = takeRandom(nonceBytes);
      const sealed = nacl(key, nonce).seal(value);
      return [nonce, Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length)];
    },
    fromStored(_storeKey, stored) {
      refuseShorterThan(nonceBytes + tagBytes, stored);
      const box = nacl(key, stored.subarray(0, nonceBytes));
      let value: Uint8Array;
      try {
        value = box.open(stored.subarray(nonceBytes));
      } catch {
        throw new Error("secretbox: message authentication failed");
      }
      return { value: Buffer.from(value.buffer, value.byteOffset, value.length), isStale: false };
    },
  };
}
