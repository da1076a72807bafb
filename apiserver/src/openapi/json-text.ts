import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonValue } from "@gatehouse/envelopes/json";

/** JSON text of a part of a document. Schemas of custom kinds may hold integers of all 64 bits, which JSON.stringify refuses. */
export function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    return encodeJson(value);
  }
}
