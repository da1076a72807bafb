import { decodeJson, encodeJson, parseStoredJson } from "@gatehouse/envelopes/codec";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import { apiVersionOf, type Field, type KindSchema, kindSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { fieldLabelNotSupported, type SelectableFields, unknownFieldSelector } from "@gatehouse/envelopes/selectors";
import { type Conversion, convert } from "../conversion/convert.js";
import { version } from "../discovery/version.js";
import type { Caller } from "../request/caller.js";
import type { MaybePromise } from "../request/handler.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import { restamp } from "../storage/cache/resource-version-bytes.js";
import type { RowObjects } from "../tables/build-table.js";
import type { TableDefinition } from "../tables/table-definition.js";
import { type Deprecation, deprecationOf } from "./deprecation.js";
import type { ResourceDefinition, StoredForm } from "./resource-definition.js";
import type { ResourceStorage } from "./resource-storage.js";
import type { WriteTransactions } from "./write-transactions.js";

/** Options that only some resources have. */
export interface ServedResourceOptions {
  readonly transactions?: WriteTransactions | undefined;
  readonly superseded?: AbortSignal;
}

/**
 * A resource as it is served under one group and version: the frozen plan that every verb handler works from, compiled
 * once at start. Several served versions may share one storage.
 */
export class ServedResource implements RowObjects {
  readonly definition: ResourceDefinition;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly apiVersion: string;
  /** True if the served version is not the stored one: objects are converted on their way in and out. */
  readonly converts: boolean;
  /** True for custom kinds: objects are kept as sent, with keys sorted, and list items carry kind and apiVersion. */
  readonly isUnstructured: boolean;
  /** Length of `{"kind":"Pod","apiVersion":"v1",`: items of a typed list are written without it, as v1.29 does. */
  readonly typeMetaLength: number;
  /** The fields that a field selector may use, by their names in this version. */
  readonly fieldLabels: SelectableFields;
  /** The transactions of its writes; undefined for most resources. */
  readonly transactions: WriteTransactions | undefined;
  /** Aborts when a changed definition has taken its place: watches through it end, and clients begin new ones. */
  readonly superseded: AbortSignal | undefined;
  readonly #storage: ResourceStorage | undefined;
  #kind: KindSchema | undefined;
  #list: KindSchema | undefined;
  #deprecation: Deprecation | "none" | undefined;
  /**
   * Bytes of entries in this version, `asStored` where they are the stored ones: only for entries held elsewhere, too.
   */
  readonly #readable = new WeakMap<CacheEntry, Buffer | "asStored">();

  /** `storage` is undefined for resources that are operations or computed on reading. */
  constructor(
    definition: ResourceDefinition,
    storage: ResourceStorage | undefined,
    { transactions, superseded }: ServedResourceOptions = {},
  ) {
    this.definition = definition;
    this.transactions = transactions;
    this.superseded = superseded;
    this.#storage = storage;
    this.group = definition.group;
    this.version = definition.version;
    this.resource = definition.resource;
    this.kind = definition.kind;
    this.listKind = definition.listKind ?? `${definition.kind}List`;
    this.namespaced = definition.namespaced;
    this.apiVersion = apiVersionOf(definition);
    this.fieldLabels = selectableFieldsOf(definition);
    const stored = definition.storage;
    this.converts = stored !== undefined && (stored.group !== this.group || stored.version !== this.version);
    this.isUnstructured = definition.schemas !== undefined;
    this.typeMetaLength = this.isUnstructured ? 1 : encodeJson({ kind: this.kind, apiVersion: this.apiVersion }).length;
  }

  get isStored(): boolean {
    return this.#storage !== undefined;
  }

  /** The storage of the objects. Throws for resources that are not stored, whose handlers never use it. */
  get storage(): ResourceStorage {
    if (this.#storage === undefined) {
      throw new Error(`${this.resource} are not stored`);
    }
    return this.#storage;
  }

  /** The deprecation of this version; undefined when clients are not warned. */
  get deprecation(): Deprecation | undefined {
    this.#deprecation ??= this.definition.deprecation ?? deprecationOf(this.kindSchema, version) ?? "none";
    return this.#deprecation === "none" ? undefined : this.#deprecation;
  }

  get schema(): ObjectSchema {
    return this.kindSchema.schema;
  }

  get kindSchema(): KindSchema {
    this.#kind ??= this.definition.schemas?.kind ?? requireKind(this.group, this.version, this.kind);
    return this.#kind;
  }

  /** The schema of the list kind: its metadata and items. */
  get listSchema(): ObjectSchema {
    this.#list ??= this.definition.schemas?.list ?? requireKind(this.group, this.version, this.listKind);
    return this.#list.schema;
  }

  get table(): TableDefinition {
    return this.definition.table;
  }

  get #conversion(): Conversion {
    const { conversion } = this.definition;
    if (conversion === undefined) {
      throw new Error(`no conversion of ${this.kind} between ${this.apiVersion} and its stored version`);
    }
    return conversion;
  }

  /** Converts a stored object to this version. */
  fromStorage(object: JsonObject): JsonObject {
    if (this.isUnstructured) {
      // Without whoever converts: what owners of fields are told apart by. `makeReadable` reads objects for clients.
      return { ...object, apiVersion: this.apiVersion };
    }
    return this.converts ? convert(object, this.apiVersion, this.#conversion.fromStored) : object;
  }

  /** Converts an object of this version to the stored one. */
  toStorage(object: JsonObject): JsonObject {
    if (this.isUnstructured) {
      return { ...object, apiVersion: apiVersionOf(this.definition.storage ?? this) };
    }
    return this.converts
      ? convert(object, apiVersionOf(this.definition.storage ?? this), this.#conversion.toStored)
      : object;
  }

  /** Returns the metadata of a stored object, for tables and for clients that want nothing else. */
  metadataOf(stored: JsonObject): JsonObject {
    const metadata = this.isUnstructured ? this.#typedMetadata(stored) : objectAt(stored, "metadata");
    const { hiddenAnnotations } = this.definition;
    return hiddenAnnotations.length === 0 ? metadata : withoutAnnotations(metadata, hiddenAnnotations);
  }

  /** Returns the metadata of an object of a custom kind with its members in the order of any other kind. */
  #typedMetadata(object: JsonObject): JsonObject {
    const { schema } = this.schema.properties.get("metadata") as Field;
    return decodeJson(schema as ObjectSchema, objectAt(object, "metadata")).object;
  }

  /** Returns a stored object in this version. Rows of custom kinds are made of objects of this version. */
  wholeOf(stored: JsonObject): JsonObject {
    return this.isUnstructured ? stored : this.fromStorage(stored);
  }

  /** Returns the form of an object from which table rows and bare metadata are made. */
  rowOf(object: JsonObject): JsonObject {
    return this.isUnstructured ? object : this.toStorage(object);
  }

  /** Returns the form of an entry's object from which table rows and bare metadata are made. */
  rowOfEntry(entry: CacheEntry): JsonObject {
    return this.isUnstructured ? this.objectOf(entry) : entry.object();
  }

  /** Returns an object as it is to be stored; a promise for kinds that a webhook converts. */
  asStored(object: JsonObject, caller?: Pick<Caller, "signal">): MaybePromise<JsonObject> {
    const { storedForm } = this.definition;
    // To ask for a signal is to make one: only who waits for others needs it.
    return storedForm === undefined ? this.toStorage(object) : storedForm.toStored(object, caller?.signal);
  }

  /** Returns an object of this version as it will be read when it is stored. */
  async throughStorage(object: JsonObject, caller?: Pick<Caller, "signal">): Promise<JsonObject> {
    const stored = await this.asStored(object, caller);
    return (await this.readStored(stored, caller?.signal)) ?? this.fromStorage(stored);
  }

  /** Reads a stored object in this version; undefined for kinds whose forms never change. */
  async readStored(stored: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject | undefined> {
    const { storedForm } = this.definition;
    if (storedForm === undefined) {
      return undefined;
    }
    const { object } = storedForm.inSchemaOfNow(stored);
    const [read = object] = await storedForm.fromNow([object], signal);
    return read === object ? object : storedForm.pruned(read);
  }

  /** Reports whether clients of this version get the stored bytes of an entry. */
  showsAsStored(entry: CacheEntry): boolean {
    const { storedForm } = this.definition;
    return !this.converts && (storedForm === undefined || entry.revision > storedForm.unchangedSince);
  }

  /**
   * Prepares `objectOf` and `bytesOf` for these entries: those that a webhook has to convert are converted here, in one
   * go. Returns undefined when nothing is to be done, as nearly always.
   */
  makeReadable(entries: readonly CacheEntry[], context?: StepContext): Promise<void> | undefined {
    const { storedForm } = this.definition;
    if (storedForm === undefined) {
      return undefined;
    }
    const odd = entries.filter((entry) => !this.#isReadable(entry));
    return odd.length === 0 ? undefined : this.#read(storedForm, odd, context);
  }

  #isReadable(entry: CacheEntry): boolean {
    return this.showsAsStored(entry) || this.#readable.has(entry) || this.#readable.has(entry.original);
  }

  async #read(storedForm: StoredForm, entries: readonly CacheEntry[], context?: StepContext): Promise<void> {
    let some: CacheEntry[] = [];
    let current: JsonObject[] = [];
    let bytesAtOnce = 0;
    for (const [index, entry] of entries.entries()) {
      await context?.yield();
      const { object, addedBytes } = storedForm.inSchemaOfNow(entry.object());
      some.push(entry);
      current.push(object);
      bytesAtOnce += entry.length + addedBytes;
      const isLast = index === entries.length - 1;
      if (isLast || some.length === entriesReadAtOnce || bytesAtOnce > maxBytesReadAtOnce) {
        await this.#convert(storedForm, some, current, context);
        some = [];
        current = [];
        bytesAtOnce = 0;
      }
    }
  }

  /** Makes entries readable whose objects are in the current schema. */
  async #convert(
    storedForm: StoredForm,
    entries: readonly CacheEntry[],
    current: readonly JsonObject[],
    context: StepContext | undefined,
  ): Promise<void> {
    const objects = await storedForm.fromNow(current, context?.signal);
    for (const [index, object] of objects.entries()) {
      await context?.yield();
      const shown = object === current[index] ? object : storedForm.pruned(object);
      await context?.yield();
      const bytes = Buffer.from(encodeJson(shown));
      const entry = entries[index] as CacheEntry;
      this.#readable.set(entry, bytes.equals(entry.bytes) ? "asStored" : bytes);
    }
  }

  /** Returns the object of an entry in this version. The caller may change it. */
  objectOf(entry: CacheEntry): JsonObject {
    return this.definition.storedForm === undefined || this.showsAsStored(entry)
      ? this.fromStorage(entry.object())
      : (parseStoredJson(this.bytesOf(entry).toString()) as JsonObject);
  }

  /** Returns the JSON of an entry in this version. */
  bytesOf(entry: CacheEntry): Buffer {
    if (this.showsAsStored(entry)) {
      return entry.bytes;
    }
    return this.definition.storedForm === undefined
      ? Buffer.from(encodeJson(this.objectOf(entry)))
      : this.#readableBytes(entry);
  }

  #readableBytes(entry: CacheEntry): Buffer {
    const known = this.#readable.get(entry);
    if (known !== undefined) {
      return known === "asStored" ? entry.bytes : known;
    }
    const { original } = entry;
    const bytes = this.#readable.get(original);
    if (bytes === undefined) {
      throw new Error(`an entry of ${this.resource} is shown before it has been made readable`);
    }
    return bytes === "asStored" ? entry.bytes : restamp(bytes, original.revision, entry.revision);
  }
}

/** Limits of one call of a converter: the entries, and about how many bytes they may have together. */
const entriesReadAtOnce = 500;
const maxBytesReadAtOnce = 4 * 1024 * 1024;

function withoutAnnotations(metadata: JsonObject, names: readonly string[]): JsonObject {
  const annotations = { ...objectAt(metadata, "annotations") };
  for (const name of names) {
    delete annotations[name];
  }
  const { annotations: _annotations, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...metadata, annotations };
}

function requireKind(group: string, version: string, kind: string): KindSchema {
  const found = kindSchema(group, version, kind);
  if (found === undefined) {
    throw new Error(`no schema for ${kind} in ${apiVersionOf({ group, version })}`);
  }
  return found;
}

/** Kinds that offer name and namespace only have a message of their own for other fields, and so does Job. */
function selectableFieldsOf({ kind, fieldLabels, schemas }: ResourceDefinition): SelectableFields {
  const plain = [...fieldLabels.keys()].every((label) => label === "metadata.name" || label === "metadata.namespace");
  const forJob = (field: string): string => `field label ${JSON.stringify(field)} not supported for Job`;
  if (schemas !== undefined) {
    return { supported: [...fieldLabels.keys()], aliases: fieldLabels, notSupported: fieldLabelNotSupported };
  }
  const notSupported = plain ? unknownFieldSelector : kind === "Job" ? forJob : fieldLabelNotSupported;
  return { supported: [...fieldLabels.keys()], aliases: fieldLabels, notSupported };
}
