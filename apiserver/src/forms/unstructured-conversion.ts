import { decodeJson, sortMembers } from "@gatehouse/envelopes/codec";
import { applyStructuralDefaults } from "@gatehouse/envelopes/defaults";
import { TooManyDefaultsError } from "@gatehouse/envelopes/errors";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import { internalError, StatusError } from "@gatehouse/envelopes/status";
import { metaOf, type ObjectMeta } from "../objects/object-meta.js";
import type { Caller } from "../request/caller.js";
import type { MaybePromise } from "../request/handler.js";
import { fillToStorableSize } from "./storable-size.js";
import type { UnstructuredKind } from "./unstructured-kind.js";

/** A stored object in the current schema of its version. */
export interface ObjectInCurrentSchema {
  readonly object: JsonObject;
  /** Bytes of JSON that the schema has added. */
  readonly addedBytes: number;
}

/**
 * The conversion of a custom kind between one served version and the stored one. Stored objects are pruned and defaulted
 * by the current schema of their version, then converted, then pruned by the schema of the served version; objects to be
 * stored are converted, pruned and defaulted. Takes whole objects. Failures throw a StatusError.
 */
export class UnstructuredConversion {
  readonly #servedApiVersion: string;
  readonly #kind: UnstructuredKind;

  constructor(servedApiVersion: string, kind: UnstructuredKind) {
    this.#servedApiVersion = servedApiVersion;
    this.#kind = kind;
  }

  /** Returns a stored object in the served version. */
  async fromStored(stored: JsonObject, caller?: Pick<Caller, "signal">): Promise<JsonObject> {
    const { object } = this.toCurrentSchema(stored);
    const [converted = object] = await this.toServed([object], caller?.signal);
    return converted === object ? object : this.prune(converted);
  }

  /** Returns an object of the served version as it is to be stored. */
  toStored(object: JsonObject, caller?: Pick<Caller, "signal">): MaybePromise<JsonObject> {
    const { storedApiVersion } = this.#kind;
    if (object["apiVersion"] === storedApiVersion) {
      return this.#lacksDefaultStatus(object) ? this.#setDefaults(object) : object;
    }
    const finish = ([converted]: readonly JsonObject[]): JsonObject =>
      this.#setDefaults(this.#prune(converted as JsonObject, storedApiVersion));
    // A signal is made when it is first read: only a converter needs it.
    const signal = this.#kind.convert === undefined ? undefined : caller?.signal;
    const converted = this.#convert([object], storedApiVersion, signal);
    return converted instanceof Promise ? converted.then(finish) : finish(converted);
  }

  /** Returns a stored object in the current schema of its version. */
  toCurrentSchema(stored: JsonObject): ObjectInCurrentSchema {
    const apiVersion = String(stored["apiVersion"]);
    const schema = this.#kind.schemaOf(apiVersion);
    if (schema === undefined) {
      throw new StatusError(500, "", `request to convert CR from an invalid group/version: ${apiVersion}`);
    }
    const { object } = decodeJson(schema, stored);
    const meta = metaOf(object);
    const addedBytes = setCurrentDefaults(schema, object, meta);
    // Objects that are older than generations have none.
    meta.generation ||= 1;
    return { object: sortMembers(object), addedBytes };
  }

  /**
   * Converts objects in the current schema to the served version, keeping their order. Objects that are in it already
   * are returned as they are; the others may hold members that `prune` drops.
   */
  toServed(objects: readonly JsonObject[], signal: AbortSignal | undefined): MaybePromise<readonly JsonObject[]> {
    return this.#convert(objects, this.#servedApiVersion, signal);
  }

  /** Drops what the schema of the served version does not know from a converted object. */
  prune(converted: JsonObject): JsonObject {
    return this.#prune(converted, this.#servedApiVersion);
  }

  #prune(object: JsonObject, apiVersion: string): JsonObject {
    const schema = this.#kind.schemaOf(apiVersion);
    return schema === undefined ? object : decodeJson(schema, object).object;
  }

  #convert(
    objects: readonly JsonObject[],
    apiVersion: string,
    signal: AbortSignal | undefined,
  ): MaybePromise<readonly JsonObject[]> {
    const { convert } = this.#kind;
    const others = objects.filter((object) => object["apiVersion"] !== apiVersion);
    if (others.length === 0) {
      return objects;
    }
    if (convert === undefined) {
      return objects.map((object) => (object["apiVersion"] === apiVersion ? object : { ...object, apiVersion }));
    }
    return convert(others.map(withoutVersion), apiVersion, signal).then((converted) => {
      let next = 0;
      return objects.map((object) =>
        object["apiVersion"] === apiVersion ? object : withVersionOf(object, converted[next++] as JsonObject),
      );
    });
  }

  /**
   * Fills in, before an object is stored, what v1.29 fills in with every read, so that the bytes can be shown as they
   * are.
   */
  #setDefaults(stored: JsonObject): JsonObject {
    const schema = this.#kind.schemaOf(this.#kind.storedApiVersion);
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
  #lacksDefaultStatus(object: JsonObject): boolean {
    if (object["status"] !== undefined) {
      return false;
    }
    const status = this.#kind.schemaOf(this.#kind.storedApiVersion)?.properties.get("status")?.schema;
    return status !== undefined && status.type !== "union" && status.structural?.default !== undefined;
  }
}

/**
 * Fills in the current defaults and returns the bytes that they add. An object that a changed definition makes larger
 * than any that may be written cannot be read either.
 */
function setCurrentDefaults(
  schema: ObjectSchema,
  object: JsonObject,
  { namespace = "", name = "" }: ObjectMeta,
): number {
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

/** Returns an object without its resourceVersion, which is no part of what is stored: v1.29 shows it to no webhook. */
function withoutVersion(object: JsonObject): JsonObject {
  const { resourceVersion: _resourceVersion, ...metadata } = metaOf(object);
  return { ...object, metadata };
}

function withVersionOf(original: JsonObject, converted: JsonObject): JsonObject {
  const { resourceVersion } = metaOf(original);
  return resourceVersion === undefined
    ? converted
    : { ...converted, metadata: { ...metaOf(converted), resourceVersion } };
}
