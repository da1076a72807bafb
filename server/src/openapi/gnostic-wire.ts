import type { JsonObject, JsonValue } from "@gatehouse/envelopes";
import { isJsonObject } from "@gatehouse/envelopes";
import protobuf from "protobufjs/minimal.js";

/** Collects the bytes of messages. */
export type Writer = protobuf.Writer;

/** Writes the members of a message. */
export type MessageEncoder = (writer: Writer, value: JsonObject) => void;

/** An empty one. */
export function createWriter(): Writer {
  return protobuf.Writer.create();
}

/** A string; nothing when it is empty, as proto3 does with zero values. */
export function writeText(writer: Writer, field: number, value: JsonValue | undefined): void {
  if (typeof value === "string" && value !== "") {
    writer.uint32(field * 8 + 2).string(value);
  }
}

/** Every string of a list, also when it is empty. */
export function writeTexts(writer: Writer, field: number, value: JsonValue | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      writer.uint32(field * 8 + 2).string(String(item));
    }
  }
}

/** `true`; nothing for anything else. */
export function writeFlag(writer: Writer, field: number, value: JsonValue | undefined): void {
  if (value === true) {
    writer.uint32(field * 8).bool(true);
  }
}

/** An integer; nothing for 0. */
export function writeInt(writer: Writer, field: number, value: JsonValue | undefined): void {
  if (typeof value === "number" && value !== 0) {
    writer.uint32(field * 8).int64(value);
  }
}

/** A number; nothing for 0. */
export function writeDouble(writer: Writer, field: number, value: JsonValue | undefined): void {
  if (typeof value === "number" && value !== 0) {
    writer.uint32(field * 8 + 1).double(value);
  }
}

/** A message inside; nothing when `value` is no object. */
export function writeMessage(
  writer: Writer,
  field: number,
  value: JsonValue | undefined,
  encode: MessageEncoder,
): void {
  if (isJsonObject(value)) {
    writer.uint32(field * 8 + 2).fork();
    encode(writer, value);
    writer.ldelim();
  }
}

/** The objects of a list, each as a message inside. */
export function writeMessages(
  writer: Writer,
  field: number,
  value: JsonValue | undefined,
  encode: MessageEncoder,
): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      writeMessage(writer, field, item, encode);
    }
  }
}

/** The members of an object as a repeated `{name = 1, value = 2}`: how gnostic writes maps. */
export function writeNamed(writer: Writer, field: number, value: JsonValue | undefined, encode: MessageEncoder): void {
  if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      writer.uint32(field * 8 + 2).fork();
      writeText(writer, 1, name);
      writeMessage(writer, 2, member, encode);
      writer.ldelim();
    }
  }
}

/** The same with a message around it that has nothing but the members. */
export function writeMap(writer: Writer, field: number, value: JsonValue | undefined, encode: MessageEncoder): void {
  writeMessage(writer, field, value, (inner, object) => writeNamed(inner, 1, object, encode));
}

/** Any value, as gnostic carries what its messages do not know: YAML text. JSON is YAML. */
export function writeAny(writer: Writer, field: number, value: JsonValue | undefined): void {
  if (value !== undefined) {
    writer.uint32(field * 8 + 2).fork();
    writer.uint32(2 * 8 + 2).string(`${JSON.stringify(value)}\n`);
    writer.ldelim();
  }
}

/** The values of a list, each as `writeAny` does. */
export function writeAnys(writer: Writer, field: number, value: JsonValue | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      writeAny(writer, field, item);
    }
  }
}

/** Every member whose name starts with `x-`. */
export function writeExtensions(writer: Writer, field: number, value: JsonObject): void {
  for (const [name, member] of Object.entries(value)) {
    if (name.startsWith("x-") && member !== undefined) {
      writer.uint32(field * 8 + 2).fork();
      writeText(writer, 1, name);
      writeAny(writer, 2, member);
      writer.ldelim();
    }
  }
}

/** One entry of a map, as bytes of the repeated field that it belongs to. */
export function namedEntry(field: number, name: string, value: JsonObject, encode: MessageEncoder): Uint8Array {
  const writer = createWriter();
  writeNamed(writer, field, { [name]: value }, encode);
  return writer.finish();
}

/** A message whose members exist as bytes already. */
export function messageOf(field: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [
    createWriter()
      .uint32(field * 8 + 2)
      .uint32(length)
      .finish(),
    ...parts,
  ];
}
