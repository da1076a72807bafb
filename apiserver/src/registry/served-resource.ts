import {
  apiVersionOf,
  decodeJson,
  encodeJson,
  type Field,
  fieldLabelNotSupported,
  type JsonObject,
  type KindSchema,
  kindSchema,
  type ObjectSchema,
  objectAt,
  parseStoredJson,
  type SelectableFields,
  unknownFieldSelector,
} from "@gatehouse/envelopes";
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

/** On whose behalf entries are made readable: until when, and how others get their turns in between. */
export interface ReadingWork {
  readonly signal?: AbortSignal;
  readonly pace?: () => Promise<void> | undefined;
}

/** What some resources have besides. */
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
  /** The version served is not the one stored: objects are converted on their way in and out. */
  readonly converts: boolean;
  /** Of a custom kind: objects are kept as they are sent, with keys sorted, and items of lists say what they are. */
  readonly isUnstructured: boolean;
  /** Length of `{"kind":"Pod","apiVersion":"v1",`: items of a typed list are written without it, as v1.29 does. */
  readonly typeMetaLength: number;
  /** What a field selector may ask for, in the names of this version. */
  readonly fieldLabels: SelectableFields;
  /** What its writes take part in besides; most resources have none. */
  readonly transactions: WriteTransactions | undefined;
  /** Aborts when a changed definition has taken its place: whoever still watches through it has to ask anew. */
  readonly superseded: AbortSignal | undefined;
  readonly #storage: ResourceStorage | undefined;
  #kind: KindSchema | undefined;
  #list: KindSchema | undefined;
  #deprecation: Deprecation | "none" | undefined;
  /** What entries are in this version, where that is not what is stored: only entries that are held elsewhere, too. */
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

  /** Where the objects are. Handlers of resources that are not stored never ask. */
  get storage(): ResourceStorage {
    if (this.#storage === undefined) {
      throw new Error(`${this.resource} are not stored`);
    }
    return this.#storage;
  }

  /** Whether and how clients of this version are warned. */
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

  /** An object of this version, from one as it is stored. */
  fromStorage(object: JsonObject): JsonObject {
    if (this.isUnstructured) {
      // Without whoever converts: what owners of fields are told apart by. `makeReadable` reads objects for clients.
      return { ...object, apiVersion: this.apiVersion };
    }
    return this.converts ? convert(object, this.apiVersion, this.#conversion.fromStored) : object;
  }

  /** An object as it is stored, from one of this version. */
  toStorage(object: JsonObject): JsonObject {
    if (this.isUnstructured) {
      return { ...object, apiVersion: apiVersionOf(this.definition.storage ?? this) };
    }
    return this.converts
      ? convert(object, apiVersionOf(this.definition.storage ?? this), this.#conversion.toStored)
      : object;
  }

  /** The metadata of an object as it is stored, for tables and for clients that want nothing else. */
  metadataOf(stored: JsonObject): JsonObject {
    const metadata = this.isUnstructured ? this.#typedMetadata(stored) : objectAt(stored, "metadata");
    const { hiddenAnnotations } = this.definition;
    return hiddenAnnotations.length === 0 ? metadata : withoutAnnotations(metadata, hiddenAnnotations);
  }

  /** The metadata of an object of a custom kind with its members in the order of any other kind. */
  #typedMetadata(object: JsonObject): JsonObject {
    const { schema } = this.schema.properties.get("metadata") as Field;
    return decodeJson(schema as ObjectSchema, objectAt(object, "metadata")).object;
  }

  /** An object in this version, from one as it is stored. Rows of custom kinds are made of objects of this version. */
  wholeOf(stored: JsonObject): JsonObject {
    return this.isUnstructured ? stored : this.fromStorage(stored);
  }

  /** What a row of a table, or bare metadata, is made from. */
  rowOf(object: JsonObject): JsonObject {
    return this.isUnstructured ? object : this.toStorage(object);
  }

  /** The same of an entry. */
  rowOfEntry(entry: CacheEntry): JsonObject {
    return this.isUnstructured ? this.objectOf(entry) : entry.object();
  }

  /** An object as it is to be stored. Kinds that others convert let whoever asks wait for them. */
  asStored(object: JsonObject, caller?: Pick<Caller, "signal">): MaybePromise<JsonObject> {
    const { storedForm } = this.definition;
    // To ask for a signal is to make one: only who waits for others needs it.
    return storedForm === undefined ? this.toStorage(object) : storedForm.toStored(object, caller?.signal);
  }

  /** An object of this version as it will be read when it is stored. */
  async throughStorage(object: JsonObject, caller?: Pick<Caller, "signal">): Promise<JsonObject> {
    const stored = await this.asStored(object, caller);
    return (await this.readStored(stored, caller?.signal)) ?? this.fromStorage(stored);
  }

  /** An object of this version, from one as it is stored; undefined for kinds whose forms never change. */
  async readStored(stored: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject | undefined> {
    const { storedForm } = this.definition;
    if (storedForm === undefined) {
      return undefined;
    }
    const { object } = storedForm.inSchemaOfNow(stored);
    const [read = object] = await storedForm.fromNow([object], signal);
    return read === object ? object : storedForm.pruned(read);
  }

  /** Whether the bytes of an entry are what clients of this version get. */
  showsAsStored(entry: CacheEntry): boolean {
    const { storedForm } = this.definition;
    return !this.converts && (storedForm === undefined || entry.revision > storedForm.unchangedSince);
  }

  /**
   * Sees to it that `objectOf` and `bytesOf` can answer for these entries: what others have to convert is converted here, all
   * of it in one go. Undefined when they can answer already, as nearly always.
   */
  makeReadable(entries: readonly CacheEntry[], work?: ReadingWork): Promise<void> | undefined {
    const { storedForm } = this.definition;
    if (storedForm === undefined) {
      return undefined;
    }
    const odd = entries.filter((entry) => !this.#isReadable(entry));
    return odd.length === 0 ? undefined : this.#read(storedForm, odd, work);
  }

  #isReadable(entry: CacheEntry): boolean {
    return this.showsAsStored(entry) || this.#readable.has(entry) || this.#readable.has(entry.original);
  }

  async #read(storedForm: StoredForm, entries: readonly CacheEntry[], work: ReadingWork = {}): Promise<void> {
    let some: CacheEntry[] = [];
    let current: JsonObject[] = [];
    let bytesAtOnce = 0;
    for (const [index, entry] of entries.entries()) {
      await work.pace?.();
      const { object, addedBytes } = storedForm.inSchemaOfNow(entry.object());
      some.push(entry);
      current.push(object);
      bytesAtOnce += entry.length + addedBytes;
      const isLast = index === entries.length - 1;
      if (isLast || some.length === entriesReadAtOnce || bytesAtOnce > maxBytesReadAtOnce) {
        await this.#convert(storedForm, some, current, work);
        some = [];
        current = [];
        bytesAtOnce = 0;
      }
    }
  }

  /** Makes entries readable, whose objects are in the schema of now. */
  async #convert(
    storedForm: StoredForm,
    entries: readonly CacheEntry[],
    current: readonly JsonObject[],
    work: ReadingWork,
  ): Promise<void> {
    const objects = await storedForm.fromNow(current, work.signal);
    for (const [index, object] of objects.entries()) {
      await work.pace?.();
      const shown = object === current[index] ? object : storedForm.pruned(object);
      await work.pace?.();
      const bytes = Buffer.from(encodeJson(shown));
      const entry = entries[index] as CacheEntry;
      this.#readable.set(entry, bytes.equals(entry.bytes) ? "asStored" : bytes);
    }
  }

  /** The object of an entry in this version. The caller may change it. */
  objectOf(entry: CacheEntry): JsonObject {
    return this.definition.storedForm === undefined || this.showsAsStored(entry)
      ? this.fromStorage(entry.object())
      : (parseStoredJson(this.bytesOf(entry).toString()) as JsonObject);
  }

  /** The JSON of an entry in this version. */
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

/** Entries that are converted by one call of whoever converts them, and about how many bytes they may have together. */
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
