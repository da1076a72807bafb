import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import protobuf from "protobufjs/minimal.js";

/** Reads one value into the object that stands for the message around it. */
export type Read = (reader: protobuf.Reader, into: JsonObject) => void;

/** Readers of the fields of a message, by number. An unknown field is an error: nothing else may be written. */
export type Shape = Readonly<Record<number, Read>>;

export function readMessage(reader: protobuf.Reader, shape: Shape, length: number, into: JsonObject = {}): JsonObject {
  const end = reader.pos + length;
  while (reader.pos < end) {
    const tag = reader.uint32();
    const read = shape[tag >>> 3];
    if (read === undefined) {
      throw new RangeError(`unexpected field ${tag >>> 3}`);
    }
    read(reader, into);
  }
  return into;
}

export function text(key: string): Read {
  return (reader, into) => {
    into[key] = reader.string();
  };
}

export function texts(key: string): Read {
  return (reader, into) => push(into, key, reader.string());
}

export function flag(key: string): Read {
  return (reader, into) => {
    into[key] = reader.bool();
  };
}

export function double(key: string): Read {
  return (reader, into) => {
    into[key] = reader.double();
  };
}

/** A message that is a member of its own. The shape is a function, because shapes contain themselves. */
export function message(key: string, shape: () => Shape): Read {
  return (reader, into) => {
    into[key] = readMessage(reader, shape(), reader.uint32());
  };
}

export function messages(key: string, shape: () => Shape): Read {
  return (reader, into) => push(into, key, readMessage(reader, shape(), reader.uint32()));
}

/** A message around what JSON has no level for: its members belong to the object outside. */
export function wrapper(shape: () => Shape): Read {
  return (reader, into) => {
    readMessage(reader, shape(), reader.uint32(), into);
  };
}

/** Repeated `{name = 1, value = 2}`, whose names are members of the object outside. */
export function named(shape: () => Shape): Read {
  return (reader, into) => {
    const entry = readMessage(reader, { 1: text("name"), 2: message("value", shape) }, reader.uint32());
    into[entry["name"] as string] = entry["value"] ?? {};
  };
}

/** A message that holds nothing but named entries. */
export function map(key: string, shape: () => Shape): Read {
  return message(key, () => ({ 1: named(shape) }));
}

const anyShape: Shape = { 2: text("yaml") };

/** gnostic's Any. What is written as JSON is read as JSON. */
export function any(key: string): Read {
  return (reader, into) => {
    into[key] = JSON.parse(readMessage(reader, anyShape, reader.uint32())["yaml"] as string) as JsonValue;
  };
}

export function anys(key: string): Read {
  return (reader, into) =>
    push(into, key, JSON.parse(readMessage(reader, anyShape, reader.uint32())["yaml"] as string));
}

/** Repeated NamedAny: `x-...` members of the object outside. */
export const extensions: Read = (reader, into) => {
  const entry = readMessage(reader, { 1: text("name"), 2: any("value") }, reader.uint32());
  into[entry["name"] as string] = entry["value"];
};

function push(into: JsonObject, key: string, value: JsonValue): void {
  const list = (into[key] ?? []) as JsonValue[];
  list.push(value);
  into[key] = list;
}

export function createReader(bytes: Uint8Array): protobuf.Reader {
  return protobuf.Reader.create(bytes);
}
