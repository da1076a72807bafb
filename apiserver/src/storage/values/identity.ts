import type { ValueTransformer } from "./value-transformer.js";

const encryptedPrefix = Buffer.from("k8s:enc:");

/** The transformer that stores values as they are. It refuses to take what is encrypted for a value. */
export const identity: ValueTransformer = Object.freeze({
  isImmediate: true,
  isUniform: true,
  toStored: (_storeKey: string, value: Buffer) => value,
  fromStored(_storeKey: string, stored: Buffer) {
    if (isEncrypted(stored)) {
      throw new Error("identity transformer tried to read encrypted data");
    }
    return { value: stored, isStale: false };
  },
});

/** Reports whether a value at rest has the prefix of all encrypted ones. */
export function isEncrypted(stored: Buffer): boolean {
  return startsWith(stored, encryptedPrefix);
}

/** Reports whether bytes begin with a prefix. */
export function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.length >= prefix.length && bytes.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
}
