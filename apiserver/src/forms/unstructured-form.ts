import { copyJson, copySorted, decodeJson, type EmptyMember, parseStoredJson } from "@gatehouse/envelopes/codec";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import { apiVersionOf, type Field, type GroupVersionKind, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { customOffer, customStreamOffer } from "../http/negotiation.js";
import { isSameValue } from "../managed-fields/typed-value.js";
import { metaOf } from "../objects/object-meta.js";
import type { Caller } from "../request/caller.js";
import type { MaybePromise } from "../request/handler.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import { canonicalizeUnstructured } from "./canonicalize-unstructured.js";
import { ConvertedEntries } from "./converted-entries.js";
import type { ListFrame, ObjectForm } from "./object-form.js";
import type { ResourceSchemas } from "./resource-schemas.js";
import { UnstructuredConversion } from "./unstructured-conversion.js";
import type { UnstructuredKind } from "./unstructured-kind.js";

const unstructuredPatchTypes: readonly string[] = [mediaTypes.jsonPatch, mediaTypes.mergePatch, mediaTypes.applyPatch];

/**
 * The form of custom kinds: objects are kept as sent, with keys sorted, and list items carry kind and apiVersion. Their
 * rows are the objects themselves.
 */
export class UnstructuredForm implements ObjectForm {
  readonly schemas: ResourceSchemas;
  readonly versions: UnstructuredKind;
  readonly converts: boolean;
  readonly convertsMembers = false;
  readonly offer = customOffer;
  readonly streamOffer = customStreamOffer;
  readonly patchTypes = unstructuredPatchTypes;
  readonly goType = "*unstructured.Unstructured";
  readonly joinsEntries = true;
  readonly typeMetaLength = 1;
  readonly #kind: GroupVersionKind;
  readonly #apiVersion: string;
  /** The beginning of objects in this version: another server may write an older one until it knows the definition. */
  readonly #beginning: Buffer;
  readonly #conversion: UnstructuredConversion;
  readonly #converted: ConvertedEntries;

  constructor(kind: GroupVersionKind, versions: UnstructuredKind) {
    this.#kind = kind;
    this.#apiVersion = apiVersionOf(kind);
    this.#beginning = Buffer.from(`{"apiVersion":${JSON.stringify(this.#apiVersion)},`);
    this.versions = versions;
    this.schemas = versions.schemas;
    this.converts = versions.storedApiVersion !== this.#apiVersion;
    this.#conversion = new UnstructuredConversion(this.#apiVersion, versions);
    this.#converted = new ConvertedEntries(this.#conversion);
  }

  toStored(object: JsonObject, caller?: Pick<Caller, "signal">): MaybePromise<JsonObject> {
    return this.#conversion.toStored(object, caller);
  }

  fromStored(stored: JsonObject, caller?: Pick<Caller, "signal">): Promise<JsonObject> {
    return this.#conversion.fromStored(stored, caller);
  }

  async roundTrip(object: JsonObject, caller?: Pick<Caller, "signal">): Promise<JsonObject> {
    return this.fromStored(await this.toStored(object, caller), caller);
  }

  async convert(object: JsonObject, to: ObjectForm, caller: Pick<Caller, "signal">): Promise<JsonObject> {
    const stored = await this.toStored(copyJson(object) as JsonObject, caller);
    return withMetadataOf(object, await to.fromStored(stored, caller));
  }

  blank(): JsonObject {
    return { kind: this.#kind.kind, apiVersion: this.#apiVersion };
  }

  canonicalize(object: JsonObject): void {
    object["kind"] = this.#kind.kind;
    object["apiVersion"] = this.#apiVersion;
    canonicalizeUnstructured(object, this.#metadataSchema);
  }

  /** Returns no members: custom objects are stored with their empty lists and maps. */
  canonicalizeForAdmission(object: JsonObject): readonly EmptyMember[] {
    this.canonicalize(object);
    return [];
  }

  prune(object: JsonObject): JsonObject {
    return decodeJson(this.schemas.kind.schema, object).object;
  }

  present(object: JsonObject): JsonObject {
    const copy = copyJson(object) as JsonObject;
    this.canonicalize(copy);
    return withMetadataOf(object, copy);
  }

  presentBookmark(bookmark: JsonObject): JsonObject {
    return copySorted(bookmark) as JsonObject;
  }

  isSame(object: JsonObject, old: JsonObject): boolean {
    return isSameValue(object, old);
  }

  isCurrent(entry: CacheEntry): boolean {
    return !this.converts && entry.revision > this.versions.unchangedSince && entry.startsWith(this.#beginning);
  }

  prepare(entries: readonly CacheEntry[], context?: StepContext): Promise<void> | undefined {
    const missing = entries.filter((entry) => !this.isCurrent(entry) && !this.#converted.has(entry));
    return missing.length === 0 ? undefined : this.#converted.convert(missing, context);
  }

  decode(entry: CacheEntry): JsonObject {
    return this.isCurrent(entry)
      ? { ...entry.object(), apiVersion: this.#apiVersion }
      : (parseStoredJson(this.encode(entry).toString()) as JsonObject);
  }

  encode(entry: CacheEntry): Buffer {
    return this.isCurrent(entry) ? entry.bytes : this.#converted.bytesOf(entry);
  }

  decodeRow(entry: CacheEntry): JsonObject {
    return this.decode(entry);
  }

  toRow(object: JsonObject): JsonObject {
    return object;
  }

  fromRow(row: JsonObject): JsonObject {
    return row;
  }

  /** Returns the metadata with its members in the order of any other kind. */
  metadataOfRow(row: JsonObject): JsonObject {
    return decodeJson(this.#metadataSchema, objectAt(row, "metadata")).object;
  }

  toItem(row: JsonObject): JsonObject {
    return row;
  }

  /** Returns the members in the order of their names. */
  listFrame(listKind: string, metadata: JsonObject): ListFrame {
    const sorted = copySorted({ continue: "", ...metadata });
    return { head: { apiVersion: this.#apiVersion }, tail: { kind: listKind, metadata: sorted } };
  }

  get #metadataSchema(): ObjectSchema {
    const { schema } = this.schemas.kind.schema.properties.get("metadata") as Field;
    return schema as ObjectSchema;
  }
}

/** Removes members of metadata that only decoding by a schema has added: custom resources are shown as they are. */
function withMetadataOf(source: JsonObject, object: JsonObject): JsonObject {
  const known = metaOf(source);
  const metadata = Object.entries(metaOf(object)).filter(
    ([name, value]) => value !== null && Object.hasOwn(known, name),
  );
  return { ...object, metadata: Object.fromEntries(metadata) };
}
