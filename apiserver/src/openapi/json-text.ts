import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonValue } from "@gatehouse/envelopes/json";

/**
 * Returns JSON text of a part of a document. Schemas of custom kinds may hold 64-bit integers, which JSON.stringify
 * refuses.
 */
export function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    return encodeJson(value);
  }
}
