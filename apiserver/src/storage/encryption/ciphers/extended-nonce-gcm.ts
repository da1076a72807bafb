import { hash } from "node:crypto";
import { nonceBytes, openGcm, sealGcm } from "./aes-gcm.js";
import type { Cipher } from "./cipher.js";
import { refuseShorterThan } from "./refuse-shorter-than.js";
import { takeRandom } from "./take-random.js";

const infoBytes = 32;
/** The least number of bytes of a seed. */
export const minSeedBytes = 32;

/**
 * Returns a transformer by AES-GCM with a key of its own for each value: HKDF-Expand (RFC 5869, SHA-256) of a seed and 32
 * random bytes, which stand before the nonce. No number of writes wears out the seed. Throws when the seed is too short.
 */
export function extendedNonceGcm(seed: Buffer): Cipher {
  if (seed.length < minSeedBytes) {
    throw new Error(`invalid seed length ${seed.length} used for key generation`);
  }
  const keyOf = keyExpansion(seed);
  return {
    toParts(storeKey, value) {
      const random = takeRandom(infoBytes + nonceBytes);
      const secret = keyOf(random.subarray(0, infoBytes));
      return [random, ...sealGcm("aes-256-gcm", { secret, nonce: random.subarray(infoBytes) }, storeKey, value)];
    },
    fromStored(storeKey, stored) {
      refuseShorterThan(infoBytes, stored);
      const key = keyOf(stored.subarray(0, infoBytes));
      return openGcm("aes-256-gcm", key, storeKey, stored.subarray(infoBytes));
    },
  };
}

/**
 * Returns the first block of HKDF-Expand, which has as many bytes as the key, for an info of `infoBytes`: HMAC (RFC 2104) of
 * the info and the block's number. It is put together of two plain hashes, since an object of Node for each HMAC, with
 * memory outside of V8's heap, costs more than both. Hashes are taken as strings for the same reason: each Buffer that
 * Node makes for one has such memory.
 */
function keyExpansion(seed: Buffer): (info: Buffer) => Buffer {
  const secret = seed.length > hashBlockBytes ? hash("sha256", seed, "buffer") : seed;
  const inner = padded(secret, 0x36, infoBytes + 1);
  inner[inner.length - 1] = 1;
  const outer = padded(secret, 0x5c, hashBytes);
  return (info) => {
    info.copy(inner, hashBlockBytes);
    outer.write(hash("sha256", inner, "binary"), hashBlockBytes, "latin1");
    return Buffer.from(hash("sha256", outer, "binary"), "latin1");
  };
}

const hashBlockBytes = 64;
const hashBytes = 32;

/** Returns a block of the secret, each byte combined with `byte`, and room for `more` bytes behind it. */
function padded(secret: Buffer, byte: number, more: number): Buffer {
  const block = Buffer.alloc(hashBlockBytes + more);
  for (let at = 0; at < hashBlockBytes; at++) {
    block[at] = (secret[at] ?? 0) ^ byte;
  }
  return block;
}
