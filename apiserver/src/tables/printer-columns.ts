import { copySorted, encodeJson } from "@gatehouse/envelopes/codec";
import { goNumber } from "@gatehouse/envelopes/go";
import {
  integerAt,
  isInt64,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  textAt,
} from "@gatehouse/envelopes/json";
import { JsonPathError } from "../errors/errors.js";
import { humanDuration } from "./duration.js";
import { evaluateJsonPath, VisitBudget } from "./json-path/evaluate.js";
import type { JsonPath } from "./json-path/node.js";
import { parseJsonPath } from "./json-path/parse.js";
import { nameColumn, type TableColumn, type TableContext, type TableDefinition } from "./table-definition.js";

/** The columns of a version that defines none. */
const ageOnly: JsonArray = [
  {
    name: "Age",
    type: "date",
    description: "When the object was created.",
    jsonPath: ".metadata.creationTimestamp",
  },
];

/** Returns the table of a version by its `additionalPrinterColumns`: the name, and the values of their paths. */
export function printerTable(columns: JsonArray): TableDefinition {
  const parsed = parseColumns(columns.length === 0 ? ageOnly : columns);
  return {
    columns: [nameColumn, ...parsed.map(({ column }) => column)],
    cells(object, context) {
      const row = new Row(object, context);
      return [textAt(object, "metadata", "name"), ...parsed.map(({ column, path }) => row.cell(column.type, path))];
    },
  };
}

interface ParsedColumn {
  readonly column: TableColumn;
  readonly path: JsonPath;
}

/** Returns the columns before the first with an invalid path, as v1.29 shows them. */
function parseColumns(columns: JsonArray): readonly ParsedColumn[] {
  const parsed: ParsedColumn[] = [];
  for (const column of columns.filter(isJsonObject)) {
    const jsonPath = textAt(column, "jsonPath");
    try {
      parsed.push({ column: headerOf(column, jsonPath), path: parseJsonPath(jsonPath) });
    } catch (error) {
      if (error instanceof JsonPathError) {
        break;
      }
      throw error;
    }
  }
  return parsed;
}

function headerOf(column: JsonObject, jsonPath: string): TableColumn {
  const description = textAt(column, "description");
  return {
    name: textAt(column, "name"),
    type: textAt(column, "type") as TableColumn["type"],
    format: textAt(column, "format"),
    description:
      description === "" ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
    priority: Number(integerAt(column, "priority")),
  };
}

/** Values of its object that all cells of a row may look at together. */
const maxRowVisits = 500_000;
/** Characters that all texts of a row may have together: a definition may show a large member in a thousand columns. */
const maxRowLength = 4 * 1024 * 1024;
/** The cell in the place of a text for which the row has no room. */
const tooLong = "<too long>";

/** The cells of one object. */
class Row {
  readonly #object: JsonObject;
  readonly #context: TableContext;
  readonly #visits = new VisitBudget(maxRowVisits);
  #lengthLeft = maxRowLength;

  constructor(object: JsonObject, context: TableContext) {
    this.#object = object;
    this.#context = context;
  }

  /** Returns the first value that the path leads to, in the form of the column; null where there is none. */
  cell(type: string, path: JsonPath): JsonValue {
    const value = this.#firstValue(path);
    if (value === undefined) {
      return null;
    }
    if (type === "string") {
      return this.#text(value);
    }
    return value === null ? null : typedCell(type, value, this.#context);
  }

  #text(value: JsonValue): string {
    // Once a row is full nothing more is printed only to see that it is too long.
    if (this.#lengthLeft < 0) {
      return tooLong;
    }
    const text = printed(value);
    this.#lengthLeft -= text.length;
    return this.#lengthLeft < 0 ? tooLong : text;
  }

  #firstValue(path: JsonPath): JsonValue | undefined {
    try {
      return evaluateJsonPath(path, this.#object, this.#visits)[0];
    } catch (error) {
      if (error instanceof JsonPathError) {
        return undefined;
      }
      throw error;
    }
  }
}

/** Prints a value as kubectl does: containers as JSON, everything else as Go shows it. */
function printed(value: JsonValue): string {
  if (value === null) {
    return "<no value>";
  }
  if (typeof value === "object") {
    return encodeJson(copySorted(value));
  }
  return typeof value === "number" || typeof value === "bigint" ? goNumber(value) : String(value);
}

function typedCell(type: string, value: JsonValue, context: TableContext): JsonValue {
  switch (type) {
    case "integer":
      return typeof value === "number" || typeof value === "bigint" ? asInt64(value) : null;
    case "number":
      return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? dateCell(value, context) : null;
    default:
      return null;
  }
}

const leastInt64 = -(2n ** 63n);
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns the age of a time as a cell shows it. */
function dateCell(text: string, { now }: TableContext): string {
  if (text === "" || text === "null") {
    return "<unknown>";
  }
  const time = rfc3339.test(text) ? Date.parse(text.replace(",", ".")) : Number.NaN;
  return Number.isNaN(time) ? "<invalid>" : humanDuration(now - time);
}

/** Returns a number without its fraction; what no int64 holds becomes the least one, as Go converts it. */
function asInt64(value: number | bigint): number | bigint {
  const whole = typeof value === "bigint" ? value : Math.trunc(value);
  return isInt64(whole) ? whole : leastInt64;
}
