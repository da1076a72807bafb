import assert from "node:assert/strict";
import { test } from "node:test";
import { TypedForm } from "@gatehouse/apiserver/forms";
import { buildTable } from "@gatehouse/apiserver/tables";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { apiServiceColumns } from "./apiregistration/api-service/columns.js";
import { namespaceColumns } from "./core/namespace/columns.js";
import { podColumns } from "./core/pod/columns.js";
import { flowSchemaColumns } from "./flowcontrol/flow-schema/columns.js";

const context = { now: Date.parse("2024-03-01T12:00:00Z") };
const rows = new TypedForm({ group: "", version: "v1", kind: "Namespace" });
const object: JsonObject = {
  metadata: { name: "a", creationTimestamp: "2024-03-01T11:00:00Z" },
  status: { phase: "Active" },
};

test("a table of one object carries its resourceVersion, its columns and the object's metadata", () => {
  const table = buildTable({
    definition: namespaceColumns,
    objects: [object],
    rows,
    includeObject: "Metadata",
    listMeta: { resourceVersion: "7", continue: "", remainingItemCount: undefined },
    context,
  });
  assert.deepEqual(table, {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion: "7" },
    columnDefinitions: namespaceColumns.columns,
    rows: [
      {
        cells: ["a", "Active", "60m"],
        object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object["metadata"] },
      },
    ],
  });
});

test("a chunk of a list carries its paging token and the number of items to come", () => {
  const table = buildTable({
    definition: namespaceColumns,
    objects: [],
    rows,
    includeObject: "Metadata",
    listMeta: { resourceVersion: "7", continue: "token", remainingItemCount: 3 },
    context,
  });
  assert.deepEqual(table["metadata"], { resourceVersion: "7", continue: "token", remainingItemCount: 3 });
  assert.deepEqual(table["rows"], []);
});

test("with includeObject=Object a row has the whole object with its kind and version", () => {
  const [row] = rowsOf("Object");
  assert.equal(
    JSON.stringify(row?.["object"]),
    `{"kind":"Namespace","apiVersion":"v1",${JSON.stringify(object).slice(1)}`,
  );
});

test("with includeObject=None a row has a null object", () => {
  assert.equal(rowsOf("None")[0]?.["object"], null);
});

test("without headers the column definitions are null", () => {
  const table = buildTable({
    definition: namespaceColumns,
    objects: [object],
    rows,
    includeObject: "None",
    listMeta: {},
    context,
    noHeaders: true,
  });
  assert.equal(table["columnDefinitions"], null);
});

test("without headers APIServices have column definitions", () => {
  const options = { objects: [], rows, includeObject: "None", listMeta: {}, context, noHeaders: true } as const;
  const table = buildTable({ definition: apiServiceColumns, ...options });
  assert.deepEqual(table["columnDefinitions"], apiServiceColumns.columns);
});

test("row conditions stand between the cells and the object", () => {
  const table = buildTable({
    definition: podColumns,
    objects: [{ metadata: { name: "p" }, status: { phase: "Failed" } }],
    rows,
    includeObject: "None",
    listMeta: {},
    context,
  });
  const [row] = table["rows"] as JsonObject[];
  assert.deepEqual(Object.keys(row ?? {}), ["cells", "conditions", "object"]);
});

test("flow schemas are listed in the order in which they are tried, and the given list is left as it was", () => {
  const objects = [schema("c", 5), schema("b", 10), schema("a", 10)].reverse();
  const table = buildTable({
    definition: flowSchemaColumns,
    objects,
    rows,
    includeObject: "None",
    listMeta: {},
    context,
  });
  const names = (table["rows"] as JsonObject[]).map((row) => (row["cells"] as unknown[])[0]);
  assert.deepEqual(names, ["c", "a", "b"]);
  assert.deepEqual(objects[0], schema("a", 10));
});

function schema(name: string, matchingPrecedence: number): JsonObject {
  return { metadata: { name }, spec: { matchingPrecedence } };
}

function rowsOf(includeObject: "None" | "Object"): JsonObject[] {
  const table = buildTable({
    definition: namespaceColumns,
    objects: [object],
    rows,
    includeObject,
    listMeta: {},
    context,
  });
  return table["rows"] as JsonObject[];
}
