import { DecodeError, type JsonValue, parseJson } from "@gatehouse/envelopes";

/** What JSON inside of an object says, or why it is none, in the words of Go's decoder. */
export type GoJson = { readonly value: JsonValue } | { readonly problem: string };

/** Reads JSON that came as bytes: what is no UTF-8 is told of by its first byte, as Go does. */
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
