import { DecodeError } from "../codec/decode-error.js";
import { parseJson } from "../codec/parse-json.js";
import type { JsonValue } from "../json/json.js";

/** The value of JSON inside an object, or the message of Go's decoder for malformed JSON. */
export type GoJson = { readonly value: JsonValue } | { readonly problem: string };

/** Parses JSON that came as bytes. As in Go, the message about a first character beyond ASCII shows its first byte. */
export function readGoJson(bytes: Buffer): GoJson {
  const start = bytes.findIndex((byte) => !" \t\r\n".includes(String.fromCharCode(byte)));
  const first = bytes[start] ?? 0;
  if (first >= 0x80) {
    return { problem: `invalid character '${String.fromCharCode(first)}' looking for beginning of value` };
  }
  try {
    return { value: parseJson(bytes.toString()).value };
  } catch (error) {
    if (error instanceof DecodeError) {
      return { problem: error.message };
    }
    throw error;
  }
}
