import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto";
import type { ReadValue } from "../../values/value-transformer.js";
import { aesAlgorithm } from "./aes-algorithm.js";
import type { Cipher, StoredParts } from "./cipher.js";
import { refuseShorterThan } from "./refuse-shorter-than.js";
import { takeRandom } from "./take-random.js";

/** Bytes of a nonce: 96 bits. */
export const nonceBytes = 12;
const tagBytes = 16;

/**
 * Returns a transformer by AES in GCM mode. A value at rest is a random nonce of 96 bits, the ciphertext and the tag. The
 * key of the store is authenticated with it, so that a value cannot be moved to another key.
 */
export function aesGcm(key: Buffer): Cipher {
  const algorithm = aesAlgorithm(key, "gcm");
  const secret = createSecretKey(key);
  return {
    toParts(storeKey, value) {
      const nonce = takeRandom(nonceBytes);
      return [nonce, ...sealGcm(algorithm, { secret, nonce }, storeKey, value)];
    },
    fromStored: (storeKey, stored) => openGcm(algorithm, secret, storeKey, stored),
  };
}

/** Encrypts a value. Returns what stands behind the nonce in the form at rest: the ciphertext and the tag. */
export function sealGcm(
  algorithm: GcmAlgorithm,
  { secret, nonce }: { readonly secret: KeyObject | Buffer; readonly nonce: Buffer },
  storeKey: string,
  value: Buffer,
): StoredParts {
  const cipher = createCipheriv(algorithm, secret, nonce);
  cipher.setAAD(Buffer.from(storeKey));
  const ciphertext = cipher.update(value);
  cipher.final(); // A stream cipher has nothing left.
  return [ciphertext, cipher.getAuthTag()];
}

/** Decrypts a value at rest. Throws when it is not what was encrypted under this key. */
export function openGcm(
  algorithm: GcmAlgorithm,
  secret: KeyObject | Buffer,
  storeKey: string,
  stored: Buffer,
): ReadValue {
  refuseShorterThan(nonceBytes, stored);
  if (stored.length < nonceBytes + tagBytes) {
    throw new Error(authenticationFailed);
  }
  const tagStart = stored.length - tagBytes;
  const decipher = createDecipheriv(algorithm, secret, stored.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(storeKey));
  decipher.setAuthTag(stored.subarray(tagStart));
  const value = decipher.update(stored.subarray(nonceBytes, tagStart));
  try {
    decipher.final();
  } catch {
    throw new Error(authenticationFailed);
  }
  return { value, isStale: false };
}

/** A name of AES in GCM mode as OpenSSL knows it. */
export type GcmAlgorithm = "aes-128-gcm" | "aes-192-gcm" | "aes-256-gcm";

const authenticationFailed = "cipher: message authentication failed";
