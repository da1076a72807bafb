import { createHash } from "node:crypto";

/** Computes the hash as v1.29 does, so that clients notice when the stored version changes. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash("sha256").update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString("base64");
}
