import { createCipheriv, createDecipheriv, createSecretKey } from "node:crypto";
import { aesAlgorithm } from "./aes-algorithm.js";
import type { Cipher } from "./cipher.js";
import { refuseShorterThan } from "./refuse-shorter-than.js";
import { takeRandom } from "./take-random.js";

const blockBytes = 16;

/**
 * Returns a transformer by AES in CBC mode with PKCS#7 padding. A value at rest is a random initialization vector and the
 * ciphertext; nothing authenticates it.
 */
export function aesCbc(key: Buffer): Cipher {
  const algorithm = aesAlgorithm(key, "cbc");
  const secret = createSecretKey(key);
  return {
    toParts(_storeKey, value) {
      const vector = takeRandom(blockBytes);
      const cipher = createCipheriv(algorithm, secret, vector);
      return [vector, cipher.update(value), cipher.final()];
    },
    fromStored(_storeKey, stored) {
      refuseShorterThan(blockBytes, stored);
      if (stored.length % blockBytes !== 0) {
        throw new Error("the stored data is not a multiple of the block size");
      }
      const decipher = createDecipheriv(algorithm, secret, stored.subarray(0, blockBytes));
      try {
        const value = Buffer.concat([decipher.update(stored.subarray(blockBytes)), decipher.final()]);
        return { value, isStale: false };
      } catch {
        throw new Error("invalid padding on input");
      }
    },
  };
}
