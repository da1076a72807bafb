import { goSyntaxValue } from "../go/json-syntax.js";
import type { JsonArray, JsonObject, JsonValue } from "../json/json.js";
import type { ObjectSchema, Schema } from "../schema/schema.js";
import { copySorted } from "./copy-sorted.js";
import { DecodeError } from "./decode-error.js";
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
 * default (unless they are kept). The metadata is that of any object. Throws DecodeError when it is not, or that of an embedded object is not.
 */
export function decodeUnstructured(
  schema: ObjectSchema,
  value: JsonObject,
  readMetadata: ReadMetadata,
  keepNulls = false,
): Decoded {
  const metaSchema = schema.properties.get("metadata")?.schema as ObjectSchema;
  const reading = new Reading((metadata) => readMetadata(metaSchema, metadata), keepNulls);
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
 * Returns a value of a custom kind without members unknown to its schema: for defaults, which definitions state freely.
 */
export function pruneUnstructured(schema: Schema, value: JsonValue): JsonValue {
  const readMetadata = (metadata: JsonValue): Decoded => ({ object: metadata as JsonObject, unknownFields: [] });
  return new Reading(readMetadata, false).value(schema, value, false);
}

/** A step of a path: a member, the index of an item, or the key of a map. */
type Step = string | number | { readonly key: string };

const typeMembers: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** A pass over a value and its schema. An object without a schema loses all its members. */
class Reading {
  readonly pruned: string[] = [];
  readonly unknownInEmbedded: string[] = [];
  readonly #path: Step[] = [];
  readonly #readMetadata: (metadata: JsonValue) => Decoded;
  readonly #keepNulls: boolean;
  #prunedLength = 0;

  constructor(readMetadata: (metadata: JsonValue) => Decoded, keepNulls: boolean) {
    this.#readMetadata = readMetadata;
    this.#keepNulls = keepNulls;
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
      if (member === "unknown" && !keeps && !isOfType) {
        this.#reportPruned(key);
        continue;
      }
      const inner = member === "unknown" ? undefined : known(member);
      if (value === null && !this.#keepNulls && isDroppedNull(inner)) {
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
    const path = this.#pathText([...this.#path, key], fieldStep);
    if (key !== "metadata") {
      if (typeof value !== "string") {
        throw new DecodeError(`${path}: Invalid value: ${goSyntaxValue(value)}: must be a string`);
      }
      return value;
    }
    try {
      const { object, unknownFields } = this.#readMetadata(value ?? {});
      this.unknownInEmbedded.push(...unknownFields.map((unknown) => `${path}.${unknown}`));
      if (object["creationTimestamp"] === null) {
        delete object["creationTimestamp"];
      }
      return copySorted(object);
    } catch (error) {
      if (error instanceof DecodeError) {
        throw new DecodeError(`${path}: Invalid value: ${goSyntaxValue(value)}: ${error.message}`, { cause: error });
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
  return BigInt.asIntN(64, value) === value ? value : Number(value);
}
