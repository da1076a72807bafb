import { hash } from "node:crypto";

/** SHA-256 as text of 32 characters, each of which is a byte: made and compared at half the cost of a buffer. */
export type Digest = string;

/** The digest of some bytes. */
export function digestOf(bytes: Uint8Array): Digest {
  return hash("sha256", bytes, "binary");
}
