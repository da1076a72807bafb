import { metaOf, type ObjectMeta } from "@gatehouse/apiserver/objects";
import {
  type ConvertObjects,
  fillToStorableSize,
  type ObjectOfNow,
  type StoredForm,
} from "@gatehouse/apiserver/registry";
import type { MaybePromise } from "@gatehouse/apiserver/request";
import { decodeJson, sortMembers } from "@gatehouse/envelopes/codec";
import { applyStructuralDefaults } from "@gatehouse/envelopes/defaults";
import { TooManyDefaultsError } from "@gatehouse/envelopes/errors";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import { internalError, StatusError } from "@gatehouse/envelopes/status";

/** The options of the stored form of a custom kind in one served version. */
export interface CustomFormOptions {
  readonly servedApiVersion: string;
  readonly storedApiVersion: string;
  readonly unchangedSince: number;
  /** The compiled schema of any version of the kind, served or not; undefined for what is none. */
  readonly schemaOf: (apiVersion: string) => ObjectSchema | undefined;
  /** The converter; undefined where versions differ in nothing but their names (strategy None). */
  readonly convert: ConvertObjects | undefined;
}

/**
 * Makes the stored form of a custom kind. Stored objects are pruned and defaulted by the current schema of their
 * version, then converted, then pruned by the schema of the version that they are converted to; objects to be stored
 * are converted and pruned.
 */
export function customForm(options: CustomFormOptions): StoredForm {
  const { servedApiVersion, storedApiVersion, unchangedSince, schemaOf } = options;
  return {
    unchangedSince,
    schemaOf,
    convert: options.convert,
    inSchemaOfNow: (stored) => inSchemaOfNow(stored, options),
    fromNow: (objects, signal) => convertAll(objects, servedApiVersion, options, signal),
    pruned: (converted) => pruned(converted, servedApiVersion, options),
    toStored(object, signal) {
      if (object["apiVersion"] === storedApiVersion) {
        return lacksDefaultStatus(object, options) ? completed(object, options) : object;
      }
      const converted = convertAll([object], storedApiVersion, options, signal);
      const finished = ([first]: readonly JsonObject[]): JsonObject =>
        completed(pruned(first as JsonObject, storedApiVersion, options), options);
      return converted instanceof Promise ? converted.then(finished) : finished(converted);
    },
  };
}

/**
 * Fills in, before an object is stored, what v1.29 fills in with every read, so that the bytes can be shown as they
 * are.
 */
function completed(stored: JsonObject, { schemaOf, storedApiVersion }: CustomFormOptions): JsonObject {
  const schema = schemaOf(storedApiVersion);
  if (schema === undefined) {
    return stored;
  }
  fillToStorableSize(() => applyStructuralDefaults(schema, stored));
  return sortMembers(stored);
}

/**
 * Reports whether an object lacks a status for which the schema has a default. A new object loses the status that was
 * sent or filled in, whatever its schema states.
 */
function lacksDefaultStatus(object: JsonObject, { schemaOf, storedApiVersion }: CustomFormOptions): boolean {
  if (object["status"] !== undefined) {
    return false;
  }
  const status = schemaOf(storedApiVersion)?.properties.get("status")?.schema;
  return status !== undefined && status.type !== "union" && status.structural?.default !== undefined;
}

function inSchemaOfNow(stored: JsonObject, { schemaOf }: CustomFormOptions): ObjectOfNow {
  const apiVersion = String(stored["apiVersion"]);
  const schema = schemaOf(apiVersion);
  if (schema === undefined) {
    throw new StatusError(500, "", `request to convert CR from an invalid group/version: ${apiVersion}`);
  }
  const { object } = decodeJson(schema, stored);
  const meta = metaOf(object);
  const addedBytes = defaultsOfNow(schema, object, meta);
  // Objects that are older than generations have none.
  meta.generation ||= 1;
  return { object: sortMembers(object), addedBytes };
}

/**
 * Fills in the current defaults. An object that a changed definition makes larger than any that may be written cannot
 * be read either.
 */
function defaultsOfNow(schema: ObjectSchema, object: JsonObject, { namespace = "", name = "" }: ObjectMeta): number {
  try {
    return applyStructuralDefaults(schema, object);
  } catch (error) {
    if (error instanceof TooManyDefaultsError) {
      const shown = namespace === "" ? name : `${namespace}/${name}`;
      throw internalError(`${textAt(object, "kind")} ${shown} cannot be read: ${error.message}`, error);
    }
    throw error;
  }
}

function convertAll(
  objects: readonly JsonObject[],
  apiVersion: string,
  { convert }: CustomFormOptions,
  signal: AbortSignal | undefined,
): MaybePromise<readonly JsonObject[]> {
  const others = objects.filter((object) => object["apiVersion"] !== apiVersion);
  if (others.length === 0) {
    return objects;
  }
  if (convert === undefined) {
    return objects.map((object) => (object["apiVersion"] === apiVersion ? object : { ...object, apiVersion }));
  }
  return convert(others, apiVersion, signal).then((converted) => {
    let next = 0;
    return objects.map((object) => (object["apiVersion"] === apiVersion ? object : (converted[next++] as JsonObject)));
  });
}

function pruned(object: JsonObject, apiVersion: string, { schemaOf }: CustomFormOptions): JsonObject {
  const schema = schemaOf(apiVersion);
  return schema === undefined ? object : decodeJson(schema, object).object;
}
