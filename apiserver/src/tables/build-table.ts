import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import type { TableContext, TableDefinition, TableRowCondition } from "./table-definition.js";

/** The part of the object that a row carries: query parameter `includeObject`, `Metadata` by default. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** The metadata of the list, or of the single object, that a table takes over. */
export interface TableListMeta {
  readonly resourceVersion?: string | undefined;
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
}

/**
 * Access to the objects behind rows. For kinds of the IDL these are the objects as they are stored: cells and metadata
 * are the same in every version of a kind, as in v1.29, which takes them from an internal form.
 */
export interface RowObjects {
  /** Returns the metadata, without placeholders for members that the stored version lacks. */
  metadataOfRow(row: JsonObject): JsonObject;
  /** Returns the object in the requested version, kind and apiVersion included. */
  fromRow(row: JsonObject): JsonObject;
}

/** Options that all rows of a table share. */
export interface TableOptions {
  readonly definition: TableDefinition;
  /** Access to the objects that rows carry. */
  readonly rows: RowObjects;
  readonly includeObject: IncludeObject;
  readonly listMeta: TableListMeta;
  readonly context: TableContext;
  /** Set to leave the column definitions out: all tables of a watch but the first, and `noHeaders` of TableOptions. */
  readonly noHeaders?: boolean;
  /** Version of the meta group that the table is of; `v1` when absent. The old one has the same form. */
  readonly version?: string;
}

/** A table with its rows. */
export interface BuildTableOptions extends TableOptions {
  /** The items of a list, or the one object, as they are stored. Not changed; rows share their members. */
  readonly objects: readonly JsonObject[];
}

function metaApiVersion(options: TableOptions): string {
  return `meta.k8s.io/${options.version ?? "v1"}`;
}

/** Returns the meta/v1 Table of some objects, as plain JSON. */
export function buildTable(options: BuildTableOptions): JsonObject {
  const { objects } = options;
  const { compare } = options.definition;
  const ordered = compare === undefined ? objects : objects.toSorted(compare);
  return { ...tableHead(options), rows: ordered.map((object) => tableRow(object, options)) };
}

/** A table without its rows. */
export function tableHead(options: TableOptions): JsonObject {
  const { definition, noHeaders } = options;
  return {
    kind: "Table",
    apiVersion: metaApiVersion(options),
    metadata: listMetadata(options.listMeta),
    columnDefinitions: noHeaders === true && !definition.repeatsColumns ? null : columnDefinitions(definition),
  };
}

function listMetadata(meta: TableListMeta): JsonObject {
  return {
    ...(meta.resourceVersion ? { resourceVersion: meta.resourceVersion } : {}),
    ...(meta.continue ? { continue: meta.continue } : {}),
    ...(meta.remainingItemCount === undefined ? {} : { remainingItemCount: meta.remainingItemCount }),
  };
}

function columnDefinitions(definition: TableDefinition): JsonValue {
  return definition.columns.map((column) => ({ ...column }));
}

/** Returns the row of one object as it is stored, which is not changed; the row shares its members. */
export function tableRow(object: JsonObject, options: TableOptions): JsonObject {
  const { definition } = options;
  const row: JsonObject = { cells: definition.cells(object, options.context) };
  const conditions = definition.conditions?.(object);
  if (conditions !== undefined) {
    row["conditions"] = conditions.map(conditionJson);
  }
  row["object"] = rowObject(object, options);
  return row;
}

function conditionJson(condition: TableRowCondition): JsonObject {
  return { ...condition };
}

/** Returns the `object` of a row; `null` if none is included, since the member is not optional on the wire. */
function rowObject(object: JsonObject, options: TableOptions): JsonValue {
  switch (options.includeObject) {
    case "None":
      return null;
    case "Metadata":
      return {
        kind: "PartialObjectMetadata",
        apiVersion: metaApiVersion(options),
        metadata: options.rows.metadataOfRow(object),
      };
    case "Object":
      return options.rows.fromRow(object);
  }
}
