import { createHmac, createSecretKey } from "node:crypto";
import type { ValueTransformer } from "../../values/value-transformer.js";
import { openGcm, sealGcm } from "./aes-gcm.js";
import { refuseShorterThan } from "./refuse-shorter-than.js";
import { takeRandom } from "./take-random.js";

const infoBytes = 32;
/** The least number of bytes of a seed. */
export const minSeedBytes = 32;

/**
 * Returns a transformer by AES-GCM with a key of its own for each value: HKDF-Expand (RFC 5869, SHA-256) of a seed and 32
 * random bytes, which stand before the nonce. No number of writes wears out the seed. Throws when the seed is too short.
 */
export function extendedNonceGcm(seed: Buffer): ValueTransformer {
  if (seed.length < minSeedBytes) {
    throw new Error(`invalid seed length ${seed.length} used for key generation`);
  }
  const secret = createSecretKey(seed);
  // The first block of the expansion has as many bytes as the key.
  const keyOf = (info: Buffer): Buffer =>
    createHmac("sha256", secret)
      .update(Buffer.concat([info, firstBlock], infoBytes + 1))
      .digest();
  return {
    toStored(storeKey, value) {
      const info = takeRandom(infoBytes);
      return Buffer.concat([info, ...sealGcm("aes-256-gcm", keyOf(info), storeKey, value)]);
    },
    fromStored(storeKey, stored) {
      refuseShorterThan(infoBytes, stored);
      const key = keyOf(stored.subarray(0, infoBytes));
      return openGcm("aes-256-gcm", key, storeKey, stored.subarray(infoBytes));
    },
  };
}

const firstBlock = Buffer.of(1);
