import { WireWriter } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { jsonText } from "../json-text.js";

// Gnostic's messages are written by hand: from the end to the beginning, as WireWriter has it, so that the length of a
// message is known when it is to be written. What follows another field in the bytes is written before it.

/** Writes the members of a message, the last one first. */
export type MessageEncoder = (writer: WireWriter, value: JsonObject) => void;

/** Writes the member of a message that has this number; nothing when there is no value. */
export type MemberWriter = (writer: WireWriter, field: number, value: JsonValue | undefined) => void;

const wireTypes = { varint: 0, fixed64: 1, lengthDelimited: 2 } as const;

/** Writes the tag that stands before a value and names its field; called after the value is written. */
function writeTag(writer: WireWriter, field: number, type: keyof typeof wireTypes): void {
  writer.varint(field * 8 + wireTypes[type]);
}

/** Writes a string; nothing when it is empty, as proto3 does with zero values. */
export function writeText(writer: WireWriter, field: number, value: JsonValue | undefined): void {
  if (typeof value === "string" && value !== "") {
    writeString(writer, field, value);
  }
}

/** A string where the empty one differs from nothing. */
export function writeString(writer: WireWriter, field: number, value: string): void {
  writer.string(value);
  writeTag(writer, field, "lengthDelimited");
}

/** Writes every string of a list, empty ones included. */
export function writeTexts(writer: WireWriter, field: number, value: JsonValue | undefined): void {
  for (const item of backwards(value)) {
    writeString(writer, field, String(item));
  }
}

/** Writes `true`; nothing for anything else. */
export function writeFlag(writer: WireWriter, field: number, value: JsonValue | undefined): void {
  if (value === true) {
    writeBoolean(writer, field, value);
  }
}

/** A boolean where `false` differs from nothing. */
export function writeBoolean(writer: WireWriter, field: number, value: boolean): void {
  writer.byte(value ? 1 : 0);
  writeTag(writer, field, "varint");
}

/** Writes an integer; nothing for 0. */
export function writeInt(writer: WireWriter, field: number, value: JsonValue | undefined): void {
  if (isNumber(value) && Number(value) !== 0) {
    if (typeof value === "bigint") {
      writer.varint64(value);
    } else {
      writer.varint(value);
    }
    writeTag(writer, field, "varint");
  }
}

/** Writes a number; nothing for 0. */
export function writeDouble(writer: WireWriter, field: number, value: JsonValue | undefined): void {
  if (isNumber(value) && Number(value) !== 0) {
    writeNumber(writer, field, Number(value));
  }
}

/** Reports whether a value is a number; integers beyond a double are bigints. */
export function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** A number where 0 differs from nothing. */
export function writeNumber(writer: WireWriter, field: number, value: number): void {
  writer.double(value);
  writeTag(writer, field, "fixed64");
}

/** Writes a message inside; nothing when `value` is no object. */
export function writeMessage(
  writer: WireWriter,
  field: number,
  value: JsonValue | undefined,
  encode: MessageEncoder,
): void {
  if (isJsonObject(value)) {
    const end = writer.length;
    encode(writer, value);
    writer.varint(writer.length - end);
    writeTag(writer, field, "lengthDelimited");
  }
}

/** Writes the objects of a list, each as a message inside. */
export function writeMessages(
  writer: WireWriter,
  field: number,
  value: JsonValue | undefined,
  encode: MessageEncoder,
): void {
  for (const item of backwards(value)) {
    writeMessage(writer, field, item, encode);
  }
}

/** Writes the members of an object as a repeated `{name = 1, value = 2}`, which is gnostic's form of maps. */
export function writeNamed(
  writer: WireWriter,
  field: number,
  value: JsonValue | undefined,
  encode: MessageEncoder,
): void {
  if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value).reverse()) {
      writeEntry(writer, field, name, (entry) => writeMessage(entry, 2, member, encode));
    }
  }
}

function writeEntry(writer: WireWriter, field: number, name: string, writeValue: (writer: WireWriter) => void): void {
  const end = writer.length;
  writeValue(writer);
  writeText(writer, 1, name);
  writer.varint(writer.length - end);
  writeTag(writer, field, "lengthDelimited");
}

/** Writes named entries inside a message that has no other members. */
export function writeMap(
  writer: WireWriter,
  field: number,
  value: JsonValue | undefined,
  encode: MessageEncoder,
): void {
  writeMessage(writer, field, value, (inner, object) => writeNamed(inner, 1, object, encode));
}

/** Writes any value as YAML text, gnostic's form of values that its messages do not know. JSON is YAML. */
export function writeAny(writer: WireWriter, field: number, value: JsonValue | undefined): void {
  if (value !== undefined) {
    writeMessage(writer, field, {}, (inner) => writeText(inner, 2, `${jsonText(value)}\n`));
  }
}

/** Writes the values of a list, each as `writeAny` does. */
export function writeAnys(writer: WireWriter, field: number, value: JsonValue | undefined): void {
  for (const item of backwards(value)) {
    writeAny(writer, field, item);
  }
}

/** Writes every member whose name starts with `x-`. */
export function writeExtensions(writer: WireWriter, field: number, value: JsonObject): void {
  for (const [name, member] of Object.entries(value).reverse()) {
    if (name.startsWith("x-") && member !== undefined) {
      writeEntry(writer, field, name, (entry) => writeAny(entry, 2, member));
    }
  }
}

function backwards(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value.toReversed() : [];
}

/** Returns one entry of a map as bytes of the repeated field that it belongs to. */
export function namedEntry(field: number, name: string, value: JsonObject, encode: MessageEncoder): Uint8Array {
  return bytesOf((writer) => writeNamed(writer, field, { [name]: value }, encode));
}

/** Returns the bytes that `write` produces, the last field first. */
export function bytesOf(write: (writer: WireWriter) => void): Uint8Array {
  const writer = new WireWriter();
  write(writer);
  return writer.finish();
}

/** A message whose members exist as bytes already. */
export function messageOf(field: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = bytesOf((writer) => {
    writer.varint(length);
    writeTag(writer, field, "lengthDelimited");
  });
  return [head, ...parts];
}
