import { randomBytes } from "node:crypto";

/** Characters of generated names: no vowels and none that look alike, so that no words are formed. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const maxNameLength = 63;

/** Returns a name with a prefix: at most 63 characters, the last five random (as v1.29 makes them). */
export function generateName(base: string, random: (size: number) => Uint8Array = randomBytes): string {
  let suffix = "";
  while (suffix.length < suffixLength) {
    for (const byte of random(suffixLength)) {
      // 243 = 9 x 27: bytes above it would favour the first letters.
      if (byte < 243 && suffix.length < suffixLength) {
        suffix += alphabet[byte % alphabet.length];
      }
    }
  }
  return base.slice(0, maxNameLength - suffixLength) + suffix;
}
