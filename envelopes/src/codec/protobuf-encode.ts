import { parseDuration } from "../go/duration.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";
import type { Field, JsonSchema, ListSchema, ObjectSchema, ScalarKind, Schema, UnionSchema } from "../schema/schema.js";
import { encodeJson } from "./encode-json.js";
import { fieldsTextOf, isFieldsText } from "./fields-text.js";
import { sortKeys } from "./object-plan.js";
import { parseMicroTime, parseTime } from "./scalars/time.js";
import { WireWriter } from "./wire-writer.js";

/**
 * Returns the protobuf message of a canonical object (from `decodeJson`), byte for byte as Go writes it: fields by
 * number, members that are no pointers always, maps sorted. Throws TypeError when the object is not what its schema
 * says.
 */
export function encodeProtobuf(schema: ObjectSchema, object: JsonObject): Buffer {
  if (!schema.hasProtobuf) {
    throw new TypeError(`${schema.name} has no protobuf form`);
  }
  const writer = new WireWriter();
  objectEncoder(schema)(writer, object);
  return writer.finish();
}

/**
 * Returns an encoder of one member of a message alone, as it stands inside it: a long list can be encoded some items at
 * a time. Throws TypeError when the message has no such member, or has no protobuf form.
 */
export function protobufMemberEncoder(schema: ObjectSchema, name: string): (object: JsonObject) => Buffer {
  const field = schema.hasProtobuf ? schema.fields.find((candidate) => candidate.name === name) : undefined;
  if (field?.number === undefined) {
    throw new TypeError(`${schema.name} has no member ${name} in protobuf`);
  }
  const encode = memberEncoder(field);
  return (object) => {
    const writer = new WireWriter();
    encode(writer, object);
    return writer.finish();
  };
}

/** Writes all members of a message that are set in `object`. */
type MembersEncoder = (writer: WireWriter, object: JsonObject) => void;

/** Writes one value without tag; with its length where the wire type has one. */
type ValueEncoder = (writer: WireWriter, value: JsonValue) => void;

const noMembers: JsonObject = Object.freeze({});

const objectEncoders = new WeakMap<ObjectSchema, MembersEncoder>();

function objectEncoder(schema: ObjectSchema): MembersEncoder {
  let encoder = objectEncoders.get(schema);
  if (encoder === undefined) {
    encoder = createObjectEncoder(schema);
    objectEncoders.set(schema, encoder);
  }
  return encoder;
}

function createObjectEncoder(schema: ObjectSchema): MembersEncoder {
  // Descending, since the writer works backwards.
  const members = schema.fields
    .filter((field) => field.number !== undefined)
    .sort((a, b) => (b.number ?? 0) - (a.number ?? 0))
    .map((field) => memberEncoder(field));
  return (writer, object) => {
    for (const encode of members) {
      encode(writer, object);
    }
  };
}

const varintType = 0;
const fixed64Type = 1;
const lengthType = 2;

function tagOf(number: number, wireType: number): number {
  return number * 8 + wireType;
}

function wireTypeOf(schema: Schema): number {
  if (schema.type !== "scalar") {
    return lengthType;
  }
  switch (schema.scalar) {
    case "boolean":
    case "int32":
    case "int64":
      return varintType;
    case "double":
      return fixed64Type;
    default:
      return lengthType;
  }
}

function memberEncoder(field: Field): MembersEncoder {
  const { name, schema, number = 0 } = field;
  if (field.inline && schema.type === "object") {
    const encode = lazyObject(schema);
    const tag = tagOf(number, lengthType);
    return (writer, object) => {
      encode(writer, object);
      writer.varint(tag);
    };
  }
  if (schema.type === "list" && !schema.wrapped) {
    return listMember(name, number, schema);
  }
  if (schema.type === "map") {
    return mapMember(name, number, schema.values);
  }
  return isFieldsText(field) ? fieldsTextMember(field, name, number) : singleMember(field, name, number);
}

/** Returns the encoder of the fields of a manager, which are written without being parsed where they are held as text. */
function fieldsTextMember(field: Field, name: string, number: number): MembersEncoder {
  const encodeValue = singleMember(field, name, number);
  const tag = tagOf(number, lengthType);
  return (writer, object) => {
    const text = fieldsTextOf(object);
    if (text === undefined) {
      encodeValue(writer, object);
      return;
    }
    const end = writer.length;
    writer.string(text);
    writer.varint(oneLength);
    writer.varint(writer.length - end);
    writer.varint(tag);
  };
}

function singleMember(field: Field, name: string, number: number): MembersEncoder {
  const encode = valueEncoder(field.schema);
  const tag = tagOf(number, wireTypeOf(field.schema));
  const onlyWhenSet = field.pointer || isNilable(field.schema);
  return (writer, object) => {
    const value = object[name] ?? null;
    if (value === null && onlyWhenSet) {
      return;
    }
    encode(writer, value);
    writer.varint(tag);
  };
}

/** Bytes and wrapped lists are slices in Go: they have an unset state although they are no pointers. */
function isNilable(schema: Schema): boolean {
  return schema.type === "list" || (schema.type === "scalar" && schema.scalar === "bytes");
}

function listMember(name: string, number: number, schema: ListSchema): MembersEncoder {
  const encode = valueEncoder(schema.items);
  const tag = tagOf(number, wireTypeOf(schema.items));
  return (writer, object) => {
    const items = object[name];
    if (!Array.isArray(items)) {
      return;
    }
    for (let i = items.length - 1; i >= 0; i--) {
      encode(writer, items[i] as JsonValue);
      writer.varint(tag);
    }
  };
}

function mapMember(name: string, number: number, values: Schema): MembersEncoder {
  const encode = valueEncoder(values);
  const nilable = values.type === "scalar" && values.scalar === "bytes";
  const entryTag = tagOf(number, lengthType);
  const keyTag = tagOf(1, lengthType);
  const valueTag = tagOf(2, wireTypeOf(values));
  return (writer, object) => {
    const map = object[name];
    if (!isJsonObject(map)) {
      return;
    }
    const keys = sortKeys(Object.keys(map));
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i] as string;
      const value = map[key];
      if (value === undefined) {
        continue;
      }
      const end = writer.length;
      if (value !== null || !nilable) {
        encode(writer, value);
        writer.varint(valueTag);
      }
      writer.string(key);
      writer.varint(keyTag);
      writer.varint(writer.length - end);
      writer.varint(entryTag);
    }
  };
}

function valueEncoder(schema: Schema): ValueEncoder {
  switch (schema.type) {
    case "object":
      return lazyObject(schema);
    case "scalar":
      return scalarEncoder(schema.scalar);
    case "list":
      return encodeWrappedList;
    case "json":
      return jsonEncoder(schema);
    case "union":
      return unionEncoder(schema);
    case "map":
      throw new TypeError("protobuf has no maps inside lists or maps");
  }
}

/** Returns an encoder with a length prefix, built when first used: types may contain themselves. */
function lazyObject(schema: ObjectSchema): ValueEncoder {
  let encode: MembersEncoder | undefined;
  return (writer, value) => {
    encode ??= objectEncoder(schema);
    const end = writer.length;
    encode(writer, value === null ? noMembers : asObject(value));
    writer.varint(writer.length - end);
  };
}

function scalarEncoder(scalar: ScalarKind): ValueEncoder {
  switch (scalar) {
    case "string":
      return (writer, value) => writer.string(value === null ? "" : asString(value));
    case "boolean":
      return (writer, value) => writer.byte(value === true ? 1 : 0);
    case "int32":
    case "int64":
      return encodeInteger;
    case "double":
      return (writer, value) => writer.double(value === null ? 0 : Number(value));
    case "bytes":
      return (writer, value) => writer.bytes(Buffer.from(value === null ? "" : asString(value), "base64"));
    case "time":
      return (writer, value) => encodeTime(writer, value, parseTime);
    case "microTime":
      return (writer, value) => encodeTime(writer, value, parseMicroTime);
    case "duration":
      return encodeDuration;
    case "quantity":
      return encodeQuantity;
    case "intOrString":
      return encodeIntOrString;
  }
}

function encodeInteger(writer: WireWriter, value: JsonValue): void {
  if (typeof value === "bigint") {
    writer.varint64(value);
  } else if (value === null || Number.isSafeInteger(value)) {
    writer.varint(value === null ? 0 : (value as number));
  } else {
    throw new TypeError(`not an integer: ${String(value)}`);
  }
}

const oneVarint = tagOf(1, varintType);
const twoVarint = tagOf(2, varintType);
const oneLength = tagOf(1, lengthType);
const twoLength = tagOf(2, lengthType);
const threeLength = tagOf(3, lengthType);
const fourLength = tagOf(4, lengthType);

/** Writes a time as `{seconds = 1, nanos = 2}`; the zero time is an empty message. */
function encodeTime(writer: WireWriter, value: JsonValue, parse: typeof parseTime): void {
  if (value === null) {
    writer.byte(0);
    return;
  }
  const { seconds, nanos } = parse(asString(value));
  const end = writer.length;
  writer.varint(parse === parseTime ? 0 : nanos);
  writer.varint(twoVarint);
  writer.varint(seconds);
  writer.varint(oneVarint);
  writer.varint(writer.length - end);
}

function encodeDuration(writer: WireWriter, value: JsonValue): void {
  const end = writer.length;
  writer.varint64(value === null ? 0n : parseDuration(asString(value)));
  writer.varint(oneVarint);
  writer.varint(writer.length - end);
}

function encodeQuantity(writer: WireWriter, value: JsonValue): void {
  const end = writer.length;
  writer.string(value === null ? "0" : asString(value));
  writer.varint(oneLength);
  writer.varint(writer.length - end);
}

/** Writes an IntOrString as `{type = 1, intVal = 2, strVal = 3}`, where type 1 is text. */
function encodeIntOrString(writer: WireWriter, value: JsonValue): void {
  const end = writer.length;
  const isText = typeof value === "string";
  writer.string(isText ? value : "");
  writer.varint(threeLength);
  encodeInteger(writer, isText ? 0 : value);
  writer.varint(twoVarint);
  writer.byte(isText ? 1 : 0);
  writer.varint(oneVarint);
  writer.varint(writer.length - end);
}

/** Writes a list as `{items = 1}`. */
function encodeWrappedList(writer: WireWriter, value: JsonValue): void {
  const end = writer.length;
  const items = Array.isArray(value) ? value : [];
  for (let i = items.length - 1; i >= 0; i--) {
    writer.string(asString(items[i] as JsonValue));
    writer.varint(oneLength);
  }
  writer.varint(writer.length - end);
}

function jsonEncoder(schema: JsonSchema): ValueEncoder {
  return schema.form === "envelope" ? encodeUnknown : encodeRawJson;
}

/** Writes a value as `{raw = 1}` with JSON text. */
function encodeRawJson(writer: WireWriter, value: JsonValue): void {
  const end = writer.length;
  if (value !== null) {
    writer.string(encodeJson(value));
    writer.varint(oneLength);
  }
  writer.varint(writer.length - end);
}

/** Writes a runtime.Unknown that holds JSON: an empty typeMeta, raw, no encoding, and the content type. */
function encodeUnknown(writer: WireWriter, value: JsonValue): void {
  const end = writer.length;
  writer.string(value === null ? "" : "application/json");
  writer.varint(fourLength);
  writer.string("");
  writer.varint(threeLength);
  if (value !== null) {
    writer.string(encodeJson(value));
    writer.varint(twoLength);
  }
  writer.raw([oneLength, 4, oneLength, 0, twoLength, 0]);
  writer.varint(writer.length - end);
}

function unionEncoder(schema: UnionSchema): ValueEncoder {
  const encodeSchema = lazyObject(schema.object);
  return (writer, value) => {
    const end = writer.length;
    if (schema.form === "schemaOrBool") {
      if (isJsonObject(value)) {
        encodeSchema(writer, value);
        writer.varint(twoLength);
      }
      writer.byte(value === true || isJsonObject(value) ? 1 : 0);
      writer.varint(oneVarint);
    } else if (Array.isArray(value)) {
      const encodeItem = schema.form === "schemaOrStrings" ? encodeText : encodeSchema;
      for (let i = value.length - 1; i >= 0; i--) {
        encodeItem(writer, value[i] as JsonValue);
        writer.varint(twoLength);
      }
    } else if (isJsonObject(value)) {
      encodeSchema(writer, value);
      writer.varint(oneLength);
    }
    writer.varint(writer.length - end);
  };
}

function encodeText(writer: WireWriter, value: JsonValue): void {
  writer.string(asString(value));
}

function asString(value: JsonValue): string {
  if (typeof value !== "string") {
    throw new TypeError(`not a string: ${typeof value}`);
  }
  return value;
}

function asObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) {
    throw new TypeError(`not an object: ${typeof value}`);
  }
  return value;
}
