import { DecodeError } from "../errors.js";
import { goTypeOf, shortGoName } from "../go/served-type-name.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";
import type { Field, ObjectSchema, ScalarSchema, Schema, UnionSchema } from "../schema/schema.js";
import { type AsWritten, restoreWriting } from "./as-written.js";
import { copyJson } from "./copy-json.js";
import { scalarDecoder } from "./decode-scalar.js";
import { decodeUnstructured } from "./decode-unstructured.js";
import type { Decoded } from "./decoded.js";
import type { EmptyHandling } from "./empty-members.js";
import { firstRefusal } from "./first-refusal.js";
import { jsonTypeName } from "./json-type-name.js";
import { maxMemberNotes, type NotesLeft, noteAmount } from "./member-notes.js";
import { emit, emptyMap, objectPlan, setKey, sortKeys, zeroMapValue, zeroValue } from "./object-plan.js";
import { maxPathsLength } from "./problem-paths.js";
import { mismatch, TypeMismatchError } from "./type-mismatch.js";

/** Options of `decodeJson` besides the schema. */
export interface DecodeOptions {
  /**
   * The handling of empty lists and maps that are always written. Clients read null in kinds that kube-apiserver stores
   * as protobuf, which cannot tell an empty list from none. "kept" by default; an array receives the members to which
   * `writeEmptyAsNull` gives null later.
   */
  readonly empty?: EmptyHandling;
  /** The parser's notes on the text; without them, repeated members and the spelling of numbers are not considered. */
  readonly asWritten?: AsWritten | undefined;
  /**
   * The limit of structs in the object, itself included; none by default. Each costs much more memory than its text.
   */
  readonly maxStructs?: number;
  /**
   * Set to keep null in objects of custom kinds where the schema forbids it, so that validation refuses it. False by
   * default.
   */
  readonly keepNulls?: boolean;
}

/** The limit of reported unknown fields, as in kube-apiserver. */
const maxUnknownFields = 100;
/**
 * The limit of nesting. Only JSONSchemaProps nests without end; anything deeper is no schema, and could exhaust the
 * stack.
 */
const maxDepth = 400;

/**
 * Reads a parsed JSON value by its schema, as Go's decoder reads it into a struct: null is unset, keys match exactly,
 * unknown members are dropped and reported. Objects of custom kinds are read as they are, see `decodeUnstructured`.
 * Throws DecodeError, with the text that v1.29 gives, when a type is wrong.
 */
export function decodeJson(schema: ObjectSchema, value: JsonValue, options: DecodeOptions = {}): Decoded {
  if (schema.structural !== undefined && isJsonObject(value)) {
    return decodeUnstructured(schema, value, decodeJson, options.keepNulls);
  }
  const context: Context = {
    unknown: [],
    depth: 0,
    structsLeft: options.maxStructs ?? Number.POSITIVE_INFINITY,
    empty: options.empty ?? "kept",
    notes: { left: maxMemberNotes },
  };
  try {
    const { asWritten } = options;
    const written = asWritten !== undefined && isJsonObject(value) ? restoreWriting(schema, value, asWritten) : value;
    const object = objectDecoder(schema)(written, context) as JsonObject;
    return { object, unknownFields: context.unknown.map((path) => path.slice(1)) };
  } catch (error) {
    // v1.29 goes on after a value of a wrong type, and forgets it when it meets a type that refuses a value itself.
    const worst = error instanceof TypeMismatchError ? (firstRefusal(schema, value, valueDecoder) ?? error) : error;
    throw worst instanceof TypeMismatchError ? new DecodeError(worst.text(), { cause: worst }) : worst;
  }
}

interface Context {
  /** Paths relative to the value being decoded; every caller prepends its own key. */
  readonly unknown: string[];
  depth: number;
  structsLeft: number;
  readonly empty: EmptyHandling;
  readonly notes: NotesLeft;
}

type Decoder = (value: JsonValue, context: Context) => JsonValue;

const objectDecoders = new WeakMap<ObjectSchema, Decoder>();

function objectDecoder(schema: ObjectSchema): Decoder {
  let decoder = objectDecoders.get(schema);
  if (decoder === undefined) {
    decoder = createObjectDecoder(schema);
    objectDecoders.set(schema, decoder);
  }
  return decoder;
}

function createObjectDecoder(schema: ObjectSchema): Decoder {
  const plan = objectPlan(schema);
  const { members, slotOf, structName, amountSlots } = plan;
  const wanted = shortGoName(schema.name);
  // Decoders of members are made when a member is first seen: most objects use few of the types they could.
  const decoders = new Array<Decoder | undefined>(members.length);

  return function decodeObject(value, context) {
    if (!isJsonObject(value)) {
      throw new TypeMismatchError(jsonTypeName(value), wanted);
    }
    if (++context.depth > maxDepth) {
      throw new DecodeError("json: exceeded max depth");
    }
    if (--context.structsLeft < 0) {
      throw new DecodeError("json: more objects than one document may have");
    }
    const slots = new Array<JsonValue | undefined>(members.length);
    let key = "";
    try {
      for (key in value) {
        const member = value[key];
        if (member === undefined || member === null) {
          if (member === null && !slotOf.has(key)) {
            reportUnknown(context, key);
          }
          continue;
        }
        const slot = slotOf.get(key);
        if (slot === undefined) {
          reportUnknown(context, key);
          continue;
        }
        const mark = context.unknown.length;
        // biome-ignore lint/suspicious/noAssignInExpressions: one expression on the hottest line of every write
        const decode = decoders[slot] ?? (decoders[slot] = fieldDecoder(memberField(members, slot)));
        slots[slot] = decode(member, context);
        if (context.unknown.length > mark) {
          prefixUnknown(context, mark, `.${key}`);
        }
      }
    } catch (error) {
      if (error instanceof TypeMismatchError) {
        error.inside(structName, key);
      }
      throw error;
    }
    context.depth--;
    const out = emit(plan, slots, context.empty, context.notes);
    for (const slot of amountSlots) {
      const { key } = members[slot] as { readonly key: string };
      noteIfSentOtherwise(out, key, value[key], slots[slot], context);
    }
    return out;
  };
}

/** Notes an amount that was not sent in the notation in which it is written. */
function noteIfSentOtherwise(
  out: JsonObject,
  key: string,
  sent: JsonValue | undefined,
  decoded: JsonValue | undefined,
  context: Context,
): void {
  if (sent !== decoded && decoded !== undefined && sent !== undefined && sent !== null) {
    noteAmount(out, key, String(sent).trim(), context.notes);
  }
}

function memberField(members: readonly { readonly field: Field }[], slot: number): Field {
  return (members[slot] as { readonly field: Field }).field;
}

function fieldDecoder(field: Field): Decoder {
  return valueDecoder(field.schema, goTypeOf(field), field);
}

/** Returns the decoder of the items of a list or map. */
function itemDecoder(schema: Schema, field: Field): Decoder {
  const decode = valueDecoder(schema, goTypeOf({ schema, namedType: field.namedType }), field);
  if (schema.type !== "map") {
    return decode;
  }
  return (value, context) => {
    const map = decode(value, context);
    return map === emptyMap ? {} : map;
  };
}

/**
 * Returns the decoder of a value. `wanted` is the Go type for error texts, `field` gives the names of types inside
 * lists and maps.
 */
function valueDecoder(schema: Schema, wanted: string, field: Field): Decoder {
  switch (schema.type) {
    case "object":
      return lazily(() => objectDecoder(schema));
    case "scalar":
      return scalarDecoder(schema.scalar, wanted);
    case "list":
      return listDecoder(schema.items, wanted, field);
    case "map":
      return schema.values.type === "scalar"
        ? flatMapDecoder(schema.values, wanted, field)
        : mapDecoder(schema.values, wanted, field);
    case "json":
      return copyJson;
    case "union":
      return unionDecoder(schema);
  }
}

/** Returns a decoder that is made at its first use: types may contain themselves. */
function lazily(create: () => Decoder): Decoder {
  let decoder: Decoder | undefined;
  return (value, context) => {
    decoder ??= create();
    return decoder(value, context);
  };
}

function listDecoder(items: Schema, wanted: string, field: Field): Decoder {
  const decodeItem = itemDecoder(items, field);
  const zero = zeroValue(items);
  return function decodeList(value, context) {
    if (!Array.isArray(value)) {
      throw new TypeMismatchError(jsonTypeName(value), wanted);
    }
    const out = new Array<JsonValue>(value.length);
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as JsonValue;
      const mark = context.unknown.length;
      out[i] = item === null ? zero() : decodeItem(item, context);
      if (context.unknown.length > mark) {
        prefixUnknown(context, mark, `[${i}]`);
      }
    }
    return out;
  };
}

function mapDecoder(values: Schema, wanted: string, field: Field): Decoder {
  const decodeItem = itemDecoder(values, field);
  const zero = zeroMapValue(values);
  const areAmounts = values.type === "scalar" && values.scalar === "quantity";
  return function decodeMap(value, context) {
    if (!isJsonObject(value)) {
      throw new TypeMismatchError(jsonTypeName(value), wanted);
    }
    const out: JsonObject = {};
    let isEmpty = true;
    for (const key of sortKeys(Object.keys(value))) {
      const item = value[key];
      if (item === undefined) {
        continue;
      }
      isEmpty = false;
      const mark = context.unknown.length;
      const decoded = item === null ? zero() : decodeItem(item, context);
      setKey(out, key, decoded);
      if (areAmounts) {
        noteIfSentOtherwise(out, key, item, decoded, context);
      }
      if (context.unknown.length > mark) {
        prefixUnknown(context, mark, `.${key}`);
      }
    }
    return isEmpty ? emptyMap : out;
  };
}

/** Returns a decoder like `mapDecoder` for scalars; of several invalid values it reports the first in the text. */
function flatMapDecoder(values: ScalarSchema, wanted: string, field: Field): Decoder {
  const decodeMap = mapDecoder(values, wanted, field);
  const decodeItem = itemDecoder(values, field);
  return function decodeFlatMap(value, context) {
    try {
      return decodeMap(value, context);
    } catch (error) {
      for (const item of isJsonObject(value) ? Object.values(value) : []) {
        if (item !== null && item !== undefined) {
          decodeItem(item, context);
        }
      }
      throw error;
    }
  };
}

function unionDecoder(schema: UnionSchema): Decoder {
  const decodeSchema = lazily(() => objectDecoder(schema.object));
  return function decodeUnion(value, context) {
    try {
      // A decoder of its own: it reports no unknown members.
      const inner: Context = { ...context, unknown: [] };
      const decoded = decodeBranch(schema, value, (branch) => decodeSchema(branch, inner));
      context.structsLeft = inner.structsLeft;
      return decoded;
    } catch (error) {
      if (error instanceof TypeMismatchError) {
        error.forgetPath();
      }
      throw error;
    }
  };
}

function decodeBranch(schema: UnionSchema, value: JsonValue, decodeSchema: (value: JsonValue) => JsonValue): JsonValue {
  if (isJsonObject(value)) {
    return decodeSchema(value);
  }
  if (schema.form === "schemaOrBool") {
    if (typeof value === "boolean") {
      return value;
    }
    throw new DecodeError("boolean or JSON schema expected");
  }
  if (!Array.isArray(value)) {
    return null;
  }
  if (schema.form === "schemaOrStrings") {
    return value.map((item) => (item === null ? "" : typeof item === "string" ? item : mismatch(item, "string")));
  }
  return value.map((item) => (item === null ? zeroValue(schema.object)() : decodeSchema(item)));
}

function reportUnknown(context: Context, key: string): void {
  if (context.unknown.length < maxUnknownFields) {
    context.unknown.push(`.${key}`);
  }
}

/**
 * Puts the step that leads to the value just decoded, `.key` or `[index]`, before what it reported. The texts are not
 * looked into here: at each level of a deep object that would copy them.
 */
function prefixUnknown(context: Context, from: number, step: string): void {
  const { unknown } = context;
  let length = 0;
  for (let i = from; i < unknown.length; i++) {
    unknown[i] = step + (unknown[i] as string);
    length += (unknown[i] as string).length;
    if (length > maxPathsLength) {
      unknown.length = i + 1;
    }
  }
}
