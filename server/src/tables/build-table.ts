import { apiVersionOf, type GroupVersionKind, type JsonObject, type JsonValue } from "@gatehouse/envelopes";
import { objectAt } from "../objects/json-fields.js";
import type { TableContext, TableDefinition, TableRowCondition } from "./table-definition.js";

/** What of the object a row carries: query parameter `includeObject`, `Metadata` when it is absent. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** The metadata of the list, or of the single object, that a table takes over. */
export interface TableListMeta {
  readonly resourceVersion?: string | undefined;
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
}

/**
 * What rows carry of objects that are given as they are stored: cells and metadata are the same in every version of a
 * kind, as in v1.29, which takes them from an internal form.
 */
export interface RowObjects {
  /** The metadata, without what only stands for members that the stored version lacks. */
  metadataOf(stored: JsonObject): JsonObject;
  /** The object in the version that is asked for. */
  wholeOf(stored: JsonObject): JsonObject;
}

/** For objects that have one form only. */
export const plainRows: RowObjects = {
  metadataOf: (object) => objectAt(object, "metadata"),
  wholeOf: (object) => object,
};

export interface BuildTableOptions {
  readonly definition: TableDefinition;
  /** Group, version and kind of the objects; written into rows that carry the whole object. */
  readonly gvk: GroupVersionKind;
  /** The items of a list, or the one object, as they are stored. Not changed; rows share their members. */
  readonly objects: readonly JsonObject[];
  /** What rows carry of them. */
  readonly rows: RowObjects;
  readonly includeObject: IncludeObject;
  readonly listMeta: TableListMeta;
  readonly context: TableContext;
  /** Leave the column definitions out: all tables of a watch but the first, and `noHeaders` of TableOptions. */
  readonly noHeaders?: boolean;
  /** Version of the meta group that the table is of; `v1` when absent. The old one has the same form. */
  readonly version?: string;
}

function metaApiVersion(options: BuildTableOptions): string {
  return `meta.k8s.io/${options.version ?? "v1"}`;
}

/** The meta/v1 Table of some objects, as plain JSON (SPEC "Table representation"). */
export function buildTable(options: BuildTableOptions): JsonObject {
  const { definition, objects } = options;
  const ordered = definition.compare === undefined ? objects : objects.toSorted(definition.compare);
  return {
    kind: "Table",
    apiVersion: metaApiVersion(options),
    metadata: listMetadata(options.listMeta),
    columnDefinitions: options.noHeaders === true ? null : columnDefinitions(definition),
    rows: ordered.map((object) => tableRow(object, options)),
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

function tableRow(object: JsonObject, options: BuildTableOptions): JsonObject {
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

/** A row without its object says `null`, since the member is not optional on the wire. */
function rowObject(object: JsonObject, options: BuildTableOptions): JsonValue {
  switch (options.includeObject) {
    case "None":
      return null;
    case "Metadata":
      return {
        kind: "PartialObjectMetadata",
        apiVersion: metaApiVersion(options),
        metadata: options.rows.metadataOf(object),
      };
    case "Object": {
      const { kind: _kind, apiVersion: _apiVersion, ...members } = options.rows.wholeOf(object);
      return { kind: options.gvk.kind, apiVersion: apiVersionOf(options.gvk), ...members };
    }
  }
}
