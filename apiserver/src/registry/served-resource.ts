import { apiVersionOf, type KindSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { fieldLabelNotSupported, type SelectableFields, unknownFieldSelector } from "@gatehouse/envelopes/selectors";
import { version } from "../discovery/version.js";
import type { ObjectForm } from "../forms/object-form.js";
import { openForm } from "../forms/open-form.js";
import type { TableDefinition } from "../tables/table-definition.js";
import { type Deprecation, deprecationOf } from "./deprecation.js";
import type { ResourceDefinition } from "./resource-definition.js";
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
export class ServedResource {
  readonly definition: ResourceDefinition;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly apiVersion: string;
  /** The form of the objects in this version. */
  readonly form: ObjectForm;
  /** The fields that a field selector may use, by their names in this version. */
  readonly fieldLabels: SelectableFields;
  /** The transactions of its writes; undefined for most resources. */
  readonly transactions: WriteTransactions | undefined;
  /** Aborts when a changed definition has taken its place: watches through it end, and clients begin new ones. */
  readonly superseded: AbortSignal | undefined;
  readonly #storage: ResourceStorage | undefined;
  #deprecation: Deprecation | "none" | undefined;

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
    this.form = openForm(definition);
    this.fieldLabels = selectableFieldsOf(definition);
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
    return this.form.schemas.kind;
  }

  /** The schema of the list kind: its metadata and items. */
  get listSchema(): ObjectSchema {
    return this.form.schemas.list.schema;
  }

  get table(): TableDefinition {
    return this.definition.table;
  }
}

/** Kinds that offer name and namespace only have a message of their own for other fields, and so does Job. */
function selectableFieldsOf({ kind, fieldLabels, custom }: ResourceDefinition): SelectableFields {
  const plain = [...fieldLabels.keys()].every((label) => label === "metadata.name" || label === "metadata.namespace");
  const forJob = (field: string): string => `field label ${JSON.stringify(field)} not supported for Job`;
  if (custom !== undefined) {
    return { supported: [...fieldLabels.keys()], aliases: fieldLabels, notSupported: fieldLabelNotSupported };
  }
  const notSupported = plain ? unknownFieldSelector : kind === "Job" ? forJob : fieldLabelNotSupported;
  return { supported: [...fieldLabels.keys()], aliases: fieldLabels, notSupported };
}
