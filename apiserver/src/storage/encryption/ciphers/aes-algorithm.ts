/** The name by which OpenSSL knows AES with keys of this length. Throws TypeError for a length that AES does not have. */
export function aesAlgorithm<M extends "cbc" | "gcm">(key: Buffer, mode: M): `aes-${128 | 192 | 256}-${M}` {
  const bits = key.length * 8;
  if (bits !== 128 && bits !== 192 && bits !== 256) {
    throw new TypeError(`a key of AES has 16, 24 or 32 bytes, not ${key.length}`);
  }
  return `aes-${bits}-${mode}`;
}
