import { createHash } from "node:crypto";
import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** The same for documents that say the same, whatever the files look like. Hexadecimal, 16 digits. */
export function documentHash(content: JsonObject): string {
  return createHash("sha256").update(encodeJson(content)).digest("hex").slice(0, 16);
}
