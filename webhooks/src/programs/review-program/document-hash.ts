import { createHash } from "node:crypto";
import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** Returns the hash of a document as 16 hexadecimal digits; equal for files that differ only in format or comments. */
export function documentHash(content: JsonObject): string {
  return createHash("sha256").update(encodeJson(content)).digest("hex").slice(0, 16);
}
