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
  type SelectableFields,
  unknownFieldSelector,
} from "@gatehouse/envelopes";
import { type Conversion, convert } from "../conversion/convert.js";
import { objectAt } from "../objects/json-fields.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import type { RowObjects } from "../tables/build-table.js";
import type { TableDefinition } from "../tables/table-definition.js";
import { version } from "../version.js";
import { type Deprecation, deprecationOf } from "./deprecation.js";
import type { ResourceDefinition } from "./resource-definition.js";
import type { ResourceStorage } from "./resource-storage.js";
import type { WriteTransactions } from "./write-transactions.js";

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
  readonly #storage: ResourceStorage | undefined;
  #kind: KindSchema | undefined;
  #list: KindSchema | undefined;
  #deprecation: Deprecation | "none" | undefined;

  /** `storage` is undefined for resources that are operations or computed on reading. */
  constructor(definition: ResourceDefinition, storage: ResourceStorage | undefined, transactions?: WriteTransactions) {
    this.definition = definition;
    this.transactions = transactions;
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
    return this.converts ? convert(object, this.apiVersion, this.#conversion.fromStored) : object;
  }

  /** An object as it is stored, from one of this version. */
  toStorage(object: JsonObject): JsonObject {
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

  /** An object in this version, from one as it is stored. */
  wholeOf(stored: JsonObject): JsonObject {
    return this.fromStorage(stored);
  }

  /** An object of this version as it will be read when it is stored. */
  throughStorage(object: JsonObject): JsonObject {
    return this.fromStorage(this.toStorage(object));
  }

  /** The object of an entry in this version. The caller may change it. */
  objectOf(entry: CacheEntry): JsonObject {
    return this.fromStorage(entry.object());
  }

  /** The JSON of an entry in this version. */
  bytesOf(entry: CacheEntry): Buffer {
    return this.converts ? Buffer.from(encodeJson(this.objectOf(entry))) : entry.bytes;
  }
}

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
function selectableFieldsOf({ kind, fieldLabels }: ResourceDefinition): SelectableFields {
  const plain = [...fieldLabels.keys()].every((label) => label === "metadata.name" || label === "metadata.namespace");
  const forJob = (field: string): string => `field label ${JSON.stringify(field)} not supported for Job`;
  const notSupported = plain ? unknownFieldSelector : kind === "Job" ? forJob : fieldLabelNotSupported;
  return { supported: [...fieldLabels.keys()], aliases: fieldLabels, notSupported };
}
