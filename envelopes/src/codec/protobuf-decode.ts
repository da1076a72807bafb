import { DecodeError } from "../errors.js";
import { formatDuration } from "../go/duration.js";
import type { JsonObject, JsonValue } from "../json/json.js";
import { kindSchema } from "../schema/registry.js";
import {
  type Field,
  groupVersionOf,
  type ObjectSchema,
  type ScalarKind,
  type Schema,
  type UnionSchema,
} from "../schema/schema.js";
import { isEnveloped, type TypeMeta, unwrapUnknown } from "./envelope.js";
import { isFieldsText, setFieldsText } from "./fields-text.js";
import { emit, type ObjectPlan, objectPlan, setKey, sortKeys, zeroMapValue } from "./object-plan.js";
import { parseJson } from "./parse-json.js";
import { RecentTexts } from "./recent-texts.js";
import { canonicalQuantity } from "./scalars/quantity.js";
import { formatMicroTime, formatTime, isFarTime } from "./scalars/time.js";
import { WireReader } from "./wire-reader.js";

/**
 * Returns the canonical object of a protobuf message. `typeMeta` becomes its kind and apiVersion, which travel outside
 * the message. Unknown fields are skipped. Throws DecodeError when the bytes are cut off, malformed or of the wrong
 * type.
 */
export function decodeProtobuf(
  schema: ObjectSchema,
  bytes: Uint8Array,
  typeMeta?: TypeMeta,
  options: DecodeProtobufOptions = {},
): JsonObject {
  if (!schema.hasProtobuf) {
    throw new DecodeError(`${schema.name} has no protobuf form`);
  }
  const plan = messagePlan(schema);
  const slots = new Array<JsonValue | undefined>(plan.size);
  if (typeMeta !== undefined) {
    setSlot(plan, slots, "kind", typeMeta.kind);
    setSlot(plan, slots, "apiVersion", typeMeta.apiVersion);
  }
  const reader = new WireReader(bytes);
  reader.keepsFieldsText = options.keepsFieldsText === true;
  reader.refusesFarTimes = options.refusesFarTimes === true;
  readMembers(plan, reader, reader.length, slots, 0);
  return finish(plan, slots);
}

/** Options of `decodeProtobuf`. */
export interface DecodeProtobufOptions {
  /** Set to hold what managers own as text: it is parsed when it is first read. False by default. */
  readonly keepsFieldsText?: boolean;
  /** Set to refuse times before the year 0 and after 9999, which JSON shows and does not take. False by default. */
  readonly refusesFarTimes?: boolean;
}

function setSlot(plan: MessagePlan, slots: (JsonValue | undefined)[], key: string, value: string): void {
  const slot = plan.json.slotOf.get(key);
  if (slot !== undefined) {
    slots[slot] = value;
  }
}

/** Reads one value of a field into `slots[slot]`. `end` is where the message ends. */
type MemberReader = (reader: WireReader, end: number, slots: (JsonValue | undefined)[], slot: number) => void;

/** Reads one value, its length included. */
type ValueReader = (reader: WireReader, end: number) => JsonValue;

interface MessagePlan {
  readonly json: ObjectPlan;
  /** Number of slots, those of inlined members included. */
  readonly size: number;
  /** The members by protobuf number; sparse. */
  readonly members: readonly (PlannedMember | undefined)[];
  /** The slot of a member that can be held as text; -1 for none. */
  readonly textSlot: number;
  /** Slots that hold maps, whose keys may have come in any order. */
  readonly mapSlots: readonly number[];
}

interface PlannedMember {
  readonly name: string;
  readonly wireType: number;
  /** The slot, relative to the first one of the message. */
  readonly slot: number;
  readonly read: MemberReader;
}

const plans = new WeakMap<ObjectSchema, MessagePlan>();

function messagePlan(schema: ObjectSchema): MessagePlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = createPlan(schema);
    plans.set(schema, plan);
  }
  return plan;
}

function createPlan(schema: ObjectSchema): MessagePlan {
  const members: (PlannedMember | undefined)[] = [];
  let slot = 0;
  for (const field of schema.fields) {
    const inlined = field.inline && field.schema.type === "object" ? messagePlan(field.schema) : undefined;
    if (field.number !== undefined) {
      members[field.number] = {
        name: field.name,
        wireType: wireTypeOf(itemSchema(field)),
        slot,
        read: inlined === undefined ? memberReader(field) : inlinedReader(inlined),
      };
    }
    slot += inlined === undefined ? 1 : inlined.size;
  }
  const json = objectPlan(schema);
  const textSlot = json.members.findIndex(({ field }) => isFieldsText(field));
  const mapSlots = json.members.flatMap((member, index) => (member.field.schema.type === "map" ? [index] : []));
  return { json, size: slot, members, textSlot, mapSlots };
}

/** Returns the schema of one occurrence of the field on the wire. */
function itemSchema(field: Field): Schema {
  return field.schema.type === "list" && !field.schema.wrapped ? field.schema.items : field.schema;
}

function wireTypeOf(schema: Schema): number {
  if (schema.type !== "scalar") {
    return 2;
  }
  switch (schema.scalar) {
    case "boolean":
    case "int32":
    case "int64":
      return 0;
    case "double":
      return 1;
    default:
      return 2;
  }
}

function readMembers(
  plan: MessagePlan,
  reader: WireReader,
  end: number,
  slots: (JsonValue | undefined)[],
  base: number,
): void {
  reader.enter();
  while (reader.at < end) {
    const tag = reader.tag(end);
    const member = plan.members[tag >>> 3];
    if (member === undefined) {
      if (tag % 8 === 4) {
        throw new DecodeError(`proto: ${plan.json.structName}: wiretype end group for non-group`);
      }
      reader.skip(tag, end);
      continue;
    }
    if (tag % 8 !== member.wireType) {
      throw new DecodeError(`proto: wrong wireType = ${tag % 8} for field ${member.name}`);
    }
    member.read(reader, end, slots, base + member.slot);
  }
  reader.leave();
}

function finish(plan: MessagePlan, slots: (JsonValue | undefined)[]): JsonObject {
  for (const slot of plan.mapSlots) {
    const map = slots[slot];
    if (map !== undefined) {
      slots[slot] = sortMap(map as JsonObject);
    }
  }
  const text = plan.textSlot < 0 ? undefined : slots[plan.textSlot];
  const object = emit(plan.json, slots);
  if (typeof text === "string") {
    setFieldsText(object, text);
  }
  return object;
}

function sortMap(map: JsonObject): JsonObject {
  const keys = Object.keys(map);
  const sorted = sortKeys([...keys]);
  if (sorted.every((key, index) => key === keys[index])) {
    return map;
  }
  const out: JsonObject = {};
  for (const key of sorted) {
    setKey(out, key, map[key] as JsonValue);
  }
  return out;
}

function inlinedReader(plan: MessagePlan): MemberReader {
  return (reader, end, slots, slot) => {
    const stop = reader.block(end);
    readMembers(plan, reader, stop, slots, slot);
  };
}

function memberReader(field: Field): MemberReader {
  const { schema } = field;
  if (schema.type === "list" && !schema.wrapped) {
    return listReader(valueReader(schema.items));
  }
  if (schema.type === "map") {
    return mapReader(schema.values);
  }
  const read = isFieldsText(field) ? readFields : valueReader(schema);
  return (reader, end, slots, slot) => {
    slots[slot] = read(reader, end);
  };
}

function listReader(read: ValueReader): MemberReader {
  return (reader, end, slots, slot) => {
    const list = slots[slot];
    const item = read(reader, end);
    if (Array.isArray(list)) {
      list.push(item);
    } else {
      slots[slot] = [item];
    }
  };
}

function mapReader(values: Schema): MemberReader {
  const read = valueReader(values);
  const zero = zeroMapValue(values);
  const valueWireType = wireTypeOf(values);
  return (reader, end, slots, slot) => {
    const map = (slots[slot] ?? {}) as JsonObject;
    slots[slot] = map;
    const stop = reader.block(end);
    let key = "";
    let value: JsonValue | undefined;
    while (reader.at < stop) {
      const tag = reader.tag(stop);
      if (tag === 10) {
        key = reader.string(stop);
      } else if (tag === 16 + valueWireType) {
        value = read(reader, stop);
      } else {
        reader.skip(tag, stop);
      }
    }
    setKey(map, key, value ?? zero());
  };
}

function valueReader(schema: Schema): ValueReader {
  switch (schema.type) {
    case "object":
      return objectReader(schema);
    case "scalar":
      return scalarReader(schema.scalar);
    case "list":
      return readWrappedList;
    case "json":
      return schema.form === "envelope" ? readUnknown : readRawJson;
    case "union":
      return unionReader(schema);
    case "map":
      throw new TypeError("protobuf has no maps inside lists or maps");
  }
}

/** Returns a reader that is made at its first use: types may contain themselves. */
function objectReader(schema: ObjectSchema): ValueReader {
  let plan: MessagePlan | undefined;
  return (reader, end) => {
    plan ??= messagePlan(schema);
    const stop = reader.block(end);
    const slots = new Array<JsonValue | undefined>(plan.size);
    readMembers(plan, reader, stop, slots, 0);
    return finish(plan, slots);
  };
}

function scalarReader(scalar: ScalarKind): ValueReader {
  switch (scalar) {
    case "string":
      return (reader, end) => reader.string(end);
    case "boolean":
      return (reader, end) => reader.varint(end) !== 0;
    case "int32":
      return (reader, end) => reader.int32(end);
    case "int64":
      return (reader, end) => reader.int64(end);
    case "double":
      return (reader, end) => reader.double(end);
    case "bytes":
      return (reader, end) => reader.bytes(end).toString("base64");
    case "time":
      return readTime;
    case "microTime":
      return readMicroTime;
    case "duration":
      return readDuration;
    case "quantity":
      return readQuantity;
    case "intOrString":
      return readIntOrString;
  }
}

/** Calls `visit` for each field of a small message; `visit` says whether it read the value. */
function eachField(reader: WireReader, end: number, visit: (tag: number, stop: number) => boolean): void {
  const stop = reader.block(end);
  while (reader.at < stop) {
    const tag = reader.tag(stop);
    if (!visit(tag, stop)) {
      reader.skip(tag, stop);
    }
  }
}

/** Reads a message whose only field, the first, is a text; empty when it is absent. */
function readFirstText(reader: WireReader, end: number): string {
  let text = "";
  eachField(reader, end, (tag, stop) => {
    if (tag !== 10) {
      return false;
    }
    text = reader.string(stop);
    return true;
  });
  return text;
}

/** Reads a timestamp; undefined for an empty message, the zero time. */
function readTimestamp(reader: WireReader, end: number): { seconds: number; nanos: number } | undefined {
  let isEmpty = true;
  let seconds = 0;
  let nanos = 0;
  eachField(reader, end, (tag, stop) => {
    isEmpty = false;
    if (tag === 8) {
      seconds = Number(reader.int64(stop));
    } else if (tag === 16) {
      nanos = reader.int32(stop);
    } else {
      return false;
    }
    return true;
  });
  if (reader.refusesFarTimes && isFarTime(seconds)) {
    throw new DecodeError(`time out of range: ${seconds} seconds`);
  }
  return isEmpty ? undefined : { seconds, nanos };
}

function readTime(reader: WireReader, end: number): JsonValue {
  const time = readTimestamp(reader, end);
  return time === undefined ? null : formatTime(time.seconds);
}

function readMicroTime(reader: WireReader, end: number): JsonValue {
  const time = readTimestamp(reader, end);
  return time === undefined ? null : formatMicroTime(time.seconds, time.nanos);
}

function readDuration(reader: WireReader, end: number): JsonValue {
  let nanos: number | bigint = 0;
  eachField(reader, end, (tag, stop) => {
    if (tag !== 8) {
      return false;
    }
    nanos = reader.int64(stop);
    return true;
  });
  return formatDuration(BigInt(nanos));
}

function readQuantity(reader: WireReader, end: number): JsonValue {
  const text = readFirstText(reader, end);
  return text === "" ? "0" : canonicalQuantity(text);
}

function readIntOrString(reader: WireReader, end: number): JsonValue {
  let isText = false;
  let number = 0;
  let text = "";
  eachField(reader, end, (tag, stop) => {
    if (tag === 8) {
      isText = reader.varint(stop) === 1;
    } else if (tag === 16) {
      number = reader.int32(stop);
    } else if (tag === 26) {
      text = reader.string(stop);
    } else {
      return false;
    }
    return true;
  });
  return isText ? text : number;
}

function readWrappedList(reader: WireReader, end: number): JsonValue {
  const items: JsonValue[] = [];
  eachField(reader, end, (tag, stop) => {
    if (tag !== 10) {
      return false;
    }
    items.push(reader.string(stop));
    return true;
  });
  return items;
}

function readRawJson(reader: WireReader, end: number): JsonValue {
  let raw: Buffer | undefined;
  eachField(reader, end, (tag, stop) => {
    if (tag !== 10) {
      return false;
    }
    raw = reader.bytes(stop);
    return true;
  });
  return raw === undefined ? null : parseRaw(raw);
}

/** Texts that have been found to be JSON. */
const recentFields = new RecentTexts();

/** Reads the fields of a manager: an object, or its text where the reader keeps that. */
function readFields(reader: WireReader, end: number): JsonValue {
  if (!reader.keepsFieldsText) {
    return readRawJson(reader, end);
  }
  const text = readFirstText(reader, end);
  if (!text.startsWith("{")) {
    return text === "" ? null : parseJson(text).value;
  }
  const known = recentFields.startingAt(text, 0);
  if (known?.length !== text.length) {
    parseJson(text);
    recentFields.add(text);
  }
  return text;
}

function readUnknown(reader: WireReader, end: number): JsonValue {
  const { raw } = unwrapUnknown(reader.bytes(end));
  return parseRaw(raw);
}

/** Parses JSON text, or an object in its protobuf envelope, which only clients that speak protobuf send. */
function parseRaw(raw: Buffer): JsonValue {
  if (raw.length === 0) {
    return null;
  }
  if (!isEnveloped(raw)) {
    return parseJson(raw.toString("utf8")).value;
  }
  const unknown = unwrapUnknown(raw.subarray(4));
  const { group, version } = groupVersionOf(unknown.apiVersion);
  const kind = kindSchema(group, version, unknown.kind);
  if (kind === undefined) {
    throw new DecodeError(`no kind "${unknown.kind}" is registered for version "${unknown.apiVersion}"`);
  }
  return decodeProtobuf(kind.schema, unknown.raw, unknown);
}

function unionReader(schema: UnionSchema): ValueReader {
  const readSchema = objectReader(schema.object);
  if (schema.form === "schemaOrBool") {
    return (reader, end) => {
      let value: JsonValue = false;
      let allows = false;
      eachField(reader, end, (tag, stop) => {
        if (tag === 8) {
          allows = reader.varint(stop) !== 0;
        } else if (tag === 18) {
          value = readSchema(reader, stop);
        } else {
          return false;
        }
        return true;
      });
      return value === false ? allows : value;
    };
  }
  const readItem: ValueReader = schema.form === "schemaOrStrings" ? (reader, end) => reader.string(end) : readSchema;
  return (reader, end) => {
    let single: JsonValue = null;
    const items: JsonValue[] = [];
    eachField(reader, end, (tag, stop) => {
      if (tag === 10) {
        single = readSchema(reader, stop);
      } else if (tag === 18) {
        items.push(readItem(reader, stop));
      } else {
        return false;
      }
      return true;
    });
    return items.length > 0 ? items : single;
  };
}
