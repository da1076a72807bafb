import { type JsonObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { parseTime } from "./duration.js";
import { column, nameColumn, type TableDefinition } from "./table-definition.js";

/** The spelling of a time that was never set. */
const zeroTime = "0001-01-01T00:00:00Z";

/** The table of kinds without columns of their own (Table of meta/v1). */
export const defaultTable: TableDefinition = {
  columns: [nameColumn, column("Created At", "date", "When the object was created, as the server's clock had it.")],
  hasNullRows: true,
  cells(object) {
    return [textAt(object, "metadata", "name"), createdAt(object)];
  },
};

/** Returns the creation time in RFC 3339, UTC, whole seconds. */
function createdAt(object: JsonObject): string {
  const time = parseTime(valueAt(object, "metadata", "creationTimestamp"));
  return time === undefined ? zeroTime : `${new Date(time).toISOString().slice(0, 19)}Z`;
}
