import { DecodeError } from "../errors.js";
import { goSyntaxValue } from "../go/json-syntax.js";
import { isInt64 } from "../json/int64.js";
import type { JsonArray, JsonObject, JsonValue } from "../json/json.js";
import type { ObjectSchema, Schema } from "../schema/schema.js";
import { copySorted } from "./copy-sorted.js";
import type { Decoded } from "./decoded.js";
import { setKey, sortKeys } from "./object-plan.js";
import { maxPathsLength } from "./problem-paths.js";

/** Reads the metadata of an object, which is typed in custom kinds, too. */
export type ReadMetadata = (schema: ObjectSchema, metadata: JsonValue) => Decoded;

/** The limit of reported unknown fields, as in kube-apiserver. */
const maxUnknownFields = 100;

/**
 * Reads a parsed JSON value as an object of a custom kind. Values are kept as they are, with keys sorted at all levels, but
 * members that the schema does not know are dropped and reported, as are nulls where the schema allows none and states no
 * default (unless they are kept). Of a kind that keeps everything no member or null is dropped. The metadata is that of any
 * object. Throws DecodeError when it is not, or that of an embedded object is not.
 */
export function decodeUnstructured(
  schema: ObjectSchema,
  value: JsonObject,
  readMetadata: ReadMetadata,
  keepNulls = false,
): Decoded {
  const metaSchema = schema.properties.get("metadata")?.schema as ObjectSchema;
  const keepUnknown = schema.structural?.keepsEverything === true;
  const reading = new Reading({
    readMetadata: (metadata) => readMetadata(metaSchema, metadata),
    keepNulls: keepNulls || keepUnknown,
    keepUnknown,
  });
  const { metadata } = value;
  // Null is what Go reads into an empty struct.
  const meta = metadata === undefined ? undefined : readMetadata(metaSchema, metadata ?? {});
  const object = reading.object(schema, value, preserves(schema));
  if (meta !== undefined) {
    object["metadata"] = copySorted(meta.object);
  }
  const unknownInMeta = meta?.unknownFields.map((path) => `metadata.${path}`) ?? [];
  const unknownFields = [...unknownInMeta, ...reading.pruned.sort(), ...reading.unknownInEmbedded.sort()];
  return { object, unknownFields: unknownFields.slice(0, maxUnknownFields) };
}

/**
 * Returns a value of a custom kind without members unknown to its schema, and without those unknown to the metadata of embedded
 * objects: for defaults, which definitions state freely. Members of embedded objects that cannot be read stay as they are.
 */
export function pruneUnstructured(
  schema: Schema,
  value: JsonValue,
  readMetadata: (metadata: JsonValue) => Decoded,
): JsonValue {
  try {
    return new Reading({ readMetadata, place: "default" }).value(schema, value, false);
  } catch (error) {
    if (error instanceof EmbeddedObjectError) {
      return new Reading({}).value(schema, value, false);
    }
    throw error;
  }
}

/**
 * Returns an object of a custom kind in which the metadata of embedded objects are as they are read: without unknown members.
 * All else stays. Throws EmbeddedObjectError.
 */
export function readEmbeddedObjects(schema: ObjectSchema, value: JsonObject, readMetadata: ReadMetadata): JsonObject {
  const metaSchema = schema.properties.get("metadata")?.schema as ObjectSchema;
  const options = { keepNulls: true, keepUnknown: true };
  return new Reading({ ...options, readMetadata: (metadata) => readMetadata(metaSchema, metadata) }).object(
    schema,
    value,
    true,
  );
}

/** The error for apiVersion, kind or metadata of an embedded object that cannot be read. */
export class EmbeddedObjectError extends DecodeError {
  /** The path of the member. */
  readonly path: string;
  /** The value, and what is wrong with it, as the message of a field error. */
  readonly shown: string;

  constructor(path: string, value: JsonValue, problem: string, options?: ErrorOptions) {
    const shown = `Invalid value: ${goSyntaxValue(value)}: ${problem}`;
    super(`${path}: ${shown}`, options);
    this.path = path;
    this.shown = shown;
  }
}

/** The parts of a value that are read, and those that stay as they are. */
interface ReadingOptions {
  /** Reads the metadata of embedded objects; without it, no members of theirs are read. */
  readonly readMetadata?: (metadata: JsonValue) => Decoded;
  /** True if null stays where the schema allows none. */
  readonly keepNulls?: boolean;
  /** True if members stay that the schema does not know. */
  readonly keepUnknown?: boolean;
  /** Name of the member that the value is; absent for a whole object, whose metadata is read apart. */
  readonly place?: string;
}

/** A step of a path: a member, the index of an item, or the key of a map. */
type Step = string | number | { readonly key: string };

const typeMembers: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** A pass over a value and its schema. An object without a schema loses all its members. */
class Reading {
  readonly pruned: string[] = [];
  readonly unknownInEmbedded: string[] = [];
  readonly #path: Step[];
  readonly #options: ReadingOptions;
  #prunedLength = 0;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.#path = options.place === undefined ? [] : [options.place];
  }

  /** Reads a value; `keeps` is set where unknown members stay. */
  value(schema: Schema | undefined, value: JsonValue, keeps: boolean): JsonValue {
    if (typeof value !== "object" || value === null) {
      return typeof value === "bigint" ? int64OrDouble(value) : value;
    }
    const keepsHere = keeps || preserves(schema);
    return Array.isArray(value) ? this.#list(schema, value, keepsHere) : this.object(schema, value, keepsHere);
  }

  #list(schema: Schema | undefined, list: JsonArray, keeps: boolean): JsonArray {
    const items = schema?.type === "list" ? known(schema.items) : undefined;
    if (items === undefined && keeps) {
      return list.map(copySorted);
    }
    const out = new Array<JsonValue>(list.length);
    for (let index = 0; index < list.length; index++) {
      this.#path.push(index);
      out[index] = this.value(items, list[index] as JsonValue, keeps);
      this.#path.pop();
    }
    return out;
  }

  object(schema: Schema | undefined, object: JsonObject, keeps: boolean): JsonObject {
    const isEmbedded = schema?.type !== "union" && schema?.structural?.isEmbeddedResource === true;
    const out: JsonObject = {};
    for (const key of sortKeys(Object.keys(object))) {
      const value = object[key];
      if (value === undefined) {
        continue;
      }
      const isOfType = isEmbedded && typeMembers.has(key);
      const isRoot = this.#path.length === 0;
      if (isOfType && isRoot && key === "metadata") {
        // Its place; what it holds comes last.
        out[key] = value;
        continue;
      }
      const member = memberSchema(schema, key);
      if (member === "unknown" && !keeps && !isOfType && this.#options.keepUnknown !== true) {
        this.#reportPruned(key);
        continue;
      }
      const inner = member === "unknown" ? undefined : known(member);
      if (value === null && this.#options.keepNulls !== true && isDroppedNull(inner)) {
        continue;
      }
      if (isOfType) {
        setKey(out, key, isRoot ? value : this.#typeMember(key, value));
      } else if (member === "unknown") {
        setKey(out, key, copySorted(value));
      } else {
        this.#path.push(schema?.type === "map" ? { key } : key);
        setKey(out, key, this.value(inner, value, false));
        this.#path.pop();
      }
    }
    return out;
  }

  /** Reads apiVersion, kind or metadata of an embedded object. */
  #typeMember(key: string, value: JsonValue): JsonValue {
    const { readMetadata } = this.#options;
    if (readMetadata === undefined) {
      return value;
    }
    const path = this.#pathText([...this.#path, key], fieldStep);
    if (key !== "metadata") {
      if (typeof value !== "string") {
        throw new EmbeddedObjectError(path, value, "must be a string");
      }
      return value;
    }
    try {
      const { object, unknownFields } = readMetadata(value ?? {});
      this.unknownInEmbedded.push(...unknownFields.map((unknown) => `${path}.${unknown}`));
      if (object["creationTimestamp"] === null) {
        delete object["creationTimestamp"];
      }
      return copySorted(object);
    } catch (error) {
      if (error instanceof DecodeError) {
        throw new EmbeddedObjectError(path, value, error.message, { cause: error });
      }
      throw error;
    }
  }

  #reportPruned(key: string): void {
    const isTypeMemberOfRoot = this.#path.length === 0 && typeMembers.has(key);
    // More than are told would only cost time: an object may hold a hundred thousand of them.
    const hasRoom = this.pruned.length < 10 * maxUnknownFields && this.#prunedLength < maxPathsLength;
    if (!isTypeMemberOfRoot && hasRoom) {
      const path = this.#pathText([...this.#path, key], plainStep);
      this.#prunedLength += path.length;
      this.pruned.push(path);
    }
  }

  #pathText(path: readonly Step[], textOf: (step: Step) => string): string {
    return path.map(textOf).join("").slice(1);
  }
}

function plainStep(step: Step): string {
  return typeof step === "number" ? `[${step}]` : `.${typeof step === "string" ? step : step.key}`;
}

function fieldStep(step: Step): string {
  return typeof step === "string" ? `.${step}` : `[${typeof step === "number" ? step : step.key}]`;
}

function preserves(schema: Schema | undefined): boolean {
  return schema !== undefined && schema.type !== "union" && schema.structural?.preservesUnknownFields === true;
}

/** Returns the schema, or undefined for a node without traits, which stands for `additionalProperties: true`. */
function known(schema: Schema): Schema | undefined {
  return schema.type !== "union" && schema.structural === undefined ? undefined : schema;
}

function memberSchema(schema: Schema | undefined, key: string): Schema | "unknown" {
  if (schema?.type === "object") {
    return schema.properties.get(key)?.schema ?? "unknown";
  }
  return schema?.type === "map" ? schema.values : "unknown";
}

/** Reports whether a null counts as absent because the schema forbids it; a default takes its place later. */
function isDroppedNull(schema: Schema | undefined): boolean {
  if (schema === undefined || schema.type === "union") {
    return false;
  }
  const { structural } = schema;
  return structural !== undefined && !structural.nullable && structural.default === undefined;
}

/** Returns an integer, as a double beyond 64 bits, as Go does. */
function int64OrDouble(value: bigint): JsonValue {
  return isInt64(value) ? value : Number(value);
}
