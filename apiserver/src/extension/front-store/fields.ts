import { isUtf8 } from "node:buffer";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";

/** The fields of an object in front, as those of ConfigMaps: texts, and in base64 what is none. */
export interface Fields {
  readonly data: Readonly<Record<string, string>>;
  readonly binaryData: Readonly<Record<string, string>>;
}

/** Texts of fewer bytes stay texts however long they are in JSON. */
const alwaysTextBytes = 64 * 1024;

/** The bytes that each byte of a text takes in a JSON string at most, in the longest form that API servers write. */
const escapedLengths = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (byte < 0x20 || "<>&".includes(character)) {
    return 6;
  }
  // The first byte of U+2028 and U+2029, which have three and become six.
  return byte === 0xe2 ? 4 : '"\\'.includes(character) ? 2 : 1;
});

/** Returns the bytes that a text takes in a JSON string at most, without its quotes. */
export function escapedLength(text: Uint8Array): number {
  let length = 0;
  for (const byte of text) {
    length += escapedLengths[byte] ?? 0;
  }
  return length;
}

/**
 * Returns the fields for texts and for bytes by name. Bytes that are a text are shown as one, so that people can read them,
 * unless base64 is shorter by far: together they take four thirds of their length and 64 KiB at most.
 */
export function encodeFields(
  texts: Readonly<Record<string, string>>,
  bytes: Readonly<Record<string, Buffer>> = {},
): Fields {
  const data: Record<string, string> = { ...texts };
  const binaryData: Record<string, string> = {};
  for (const [name, value] of Object.entries(bytes)) {
    if (isText(value)) {
      data[name] = value.toString();
    } else {
      binaryData[name] = value.toString("base64");
    }
  }
  return { data, binaryData };
}

function isText(value: Buffer): boolean {
  const isShort = value.length * 6 <= alwaysTextBytes;
  const limit = Math.max(Math.ceil(value.length / 3) * 4, alwaysTextBytes);
  return isUtf8(value) && (isShort || escapedLength(value) <= limit);
}

/** Reads a field that has been bytes. Throws an Error when the object has none of that name. */
export function bytesOf(object: JsonObject, name: string): Buffer {
  const text = objectAt(object, "data")[name];
  if (typeof text === "string") {
    return Buffer.from(text);
  }
  const base64 = objectAt(object, "binaryData")[name];
  if (typeof base64 === "string") {
    return Buffer.from(base64, "base64");
  }
  throw new Error(`it has no ${name}`);
}
