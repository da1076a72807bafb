import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";

/** The definition of a kind as a table (Table of meta/v1). Immutable and shared by all requests. */
export interface TableDefinition {
  readonly columns: readonly TableColumn[];
  /**
   * Returns the cells of one row, in column order, from an object as it is stored; every column is always filled. Must
   * not throw: an object that lacks a column's member gets the same text as one whose member has its zero value.
   */
  cells(object: JsonObject, context: TableContext): JsonValue[];
  /** Returns row conditions, such as "this pod has completed"; undefined when there are none. */
  conditions?(object: JsonObject): readonly TableRowCondition[] | undefined;
  /** Set for a list without objects to have `rows: null` in place of an empty list. */
  readonly hasNullRows?: true;
  /** Set for every table to have the columns, also those of a watch behind the first. */
  readonly repeatsColumns?: true;
  /** Compares rows of a list, for the few kinds that are not shown in list order. */
  compare?(a: JsonObject, b: JsonObject): number;
}

/** A column as meta/v1 TableColumnDefinition writes it. */
export interface TableColumn {
  readonly name: string;
  /** OpenAPI type of the cells. Clients treat it as a hint. */
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  /** The format of the cells; `name` marks the column with the name of the object. */
  readonly format: string;
  readonly description: string;
  /** The priority: 0 is always shown; 1 is shown by `kubectl get -o wide` only. */
  readonly priority: number;
}

/** A condition of a row (meta/v1 TableRowCondition): clients may hide rows of completed objects. */
export interface TableRowCondition {
  readonly type: "Completed";
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}

/** Input of cells besides the object. */
export interface TableContext {
  /** Milliseconds since the epoch, against which ages are shown. */
  readonly now: number;
}

type ColumnType = TableColumn["type"];

/** Returns a column that is always shown. */
export function column(name: string, type: ColumnType, description: string, format = ""): TableColumn {
  return { name, type, format, description, priority: 0 };
}

/** Returns a column for the wide form only. */
export function wideColumn(name: string, type: ColumnType, description: string, format = ""): TableColumn {
  return { name, type, format, description, priority: 1 };
}

/** The column of `metadata.name`. */
export const nameColumn: TableColumn = column(
  "Name",
  "string",
  "Name of the object, unique among the objects of its kind in one namespace, or in the cluster.",
  "name",
);

/** The column of the cell that `objectAge` makes. */
export const ageColumn: TableColumn = column("Age", "string", "Time since the object was created.");
