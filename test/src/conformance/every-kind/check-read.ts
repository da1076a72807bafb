import assert from "node:assert/strict";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { assertCode } from "../../spec/support/assert-status.js";
import { decodeAnswer, encodings, mediaTypeOf, viewIn } from "./encodings.js";
import { asObject, current, metaOf, nameOf, type Subject } from "./subject.js";

/** Reads objects, and the list of them, in every representation: all must tell the same. */
export async function checkRead(subject: Subject, names: readonly string[]): Promise<void> {
  const objects: JsonObject[] = [];
  for (const name of names) {
    const object = await current(subject, name);
    objects.push(object);
    await checkObject(subject, object);
  }
  await checkLists(subject, objects);
}

async function checkObject(subject: Subject, object: JsonObject): Promise<void> {
  const { client } = subject;
  const path = subject.path(nameOf(object));
  for (const encoding of encodings) {
    const answer = await client.get(path, { accept: mediaTypeOf[encoding] });
    assert.deepEqual(await decodeAnswer(answer, encoding), viewIn(object, encoding), encoding);
    const partial = await client.get(path, { accept: partialType(encoding, "PartialObjectMetadata") });
    assert.deepEqual(await decodeAnswer(partial, encoding), partialOf(object));
  }
  for (const encoding of ["json", "yaml"] as const) {
    const answer = await client.get(path, { accept: tableType(encoding) });
    assertCode(answer, 200);
    const table = await decodeAnswer(answer, encoding);
    assert.deepEqual(table["metadata"], { resourceVersion: metaOf(object).resourceVersion });
    checkTable(table, [object]);
  }
}

async function checkLists(subject: Subject, objects: readonly JsonObject[]): Promise<void> {
  const { client } = subject;
  for (const encoding of encodings) {
    const answer = await client.get(subject.path(), { accept: mediaTypeOf[encoding] });
    const list = await decodeAnswer(answer, encoding);
    assert.equal(list["kind"], `${subject.resource.kind}List`);
    assert.equal(list["apiVersion"], subject.resource.apiVersion);
    checkListMetadata(list);
    assert.deepEqual(
      ours(list, objects),
      objects.map((object) => withoutTypeMeta(viewIn(object, encoding))),
      encoding,
    );
    const partial = await decodeAnswer(
      await client.get(subject.path(), { accept: partialType(encoding, "PartialObjectMetadataList") }),
      encoding,
    );
    assert.equal(partial["kind"], "PartialObjectMetadataList");
    checkListMetadata(partial);
    const items = ours(partial, objects);
    const expected = objects.map((object) =>
      encoding === "protobuf" ? withoutTypeMeta(partialOf(object)) : partialOf(object),
    );
    assert.deepEqual(items, expected);
  }
  for (const encoding of ["json", "yaml"] as const) {
    for (const include of ["", "Metadata", "Object", "None"]) {
      const query = include === "" ? "" : `?includeObject=${include}`;
      const answer = await client.get(`${subject.path()}${query}`, { accept: tableType(encoding) });
      const table = await decodeAnswer(answer, encoding);
      checkListMetadata(table);
      checkTable(table, objects, include);
    }
  }
}

function checkListMetadata(list: JsonObject): void {
  const { resourceVersion, ...rest } = metaOf(list);
  assert.match(resourceVersion, /^[1-9][0-9]*$/);
  assert.deepEqual(rest, {});
}

/** The items that are ours; cluster-scoped lists hold what others have made, too. */
function ours(list: JsonObject, objects: readonly JsonObject[]): readonly JsonObject[] {
  const names = new Set(objects.map(nameOf));
  return (list["items"] as JsonObject[]).filter((item) => names.has(nameOf(item)));
}

function withoutTypeMeta(object: JsonObject): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, ...members } = object;
  return members;
}

function partialOf(object: JsonObject): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: bareMetadata(object) };
}

/** Annotations that only stand for members of another version of the kind belong to the whole object alone. */
const versionAnnotation = /^(deprecated\.daemonset\.template\.generation$|autoscaling\.alpha\.kubernetes\.io\/)/;

function bareMetadata(object: JsonObject): JsonObject {
  const { annotations, ...rest } = object["metadata"] as JsonObject;
  const kept = Object.entries(isJsonObject(annotations) ? annotations : {}).filter(
    ([name]) => !versionAnnotation.test(name),
  );
  return kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) };
}

function partialType(encoding: (typeof encodings)[number], as: string): string {
  return `${mediaTypeOf[encoding]};as=${as};g=meta.k8s.io;v=v1`;
}

function tableType(encoding: "json" | "yaml"): string {
  return `${mediaTypeOf[encoding]};as=Table;g=meta.k8s.io;v=v1`;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** The rows are those of the objects, and every cell is what its column says. */
export function checkTable(table: JsonObject, objects: readonly JsonObject[], include = "Metadata"): void {
  assert.equal(table["kind"], "Table");
  assert.equal(table["apiVersion"], "meta.k8s.io/v1");
  const columns = table["columnDefinitions"] as unknown as readonly Column[];
  const rows = table["rows"] as JsonObject[];
  const nameColumn = columns.findIndex((column) => column.name === "Name");
  assert.equal(columns[nameColumn]?.format, "name");
  for (const column of columns) {
    assert.ok(column.description !== "", `${column.name} is described`);
    assert.ok(Number.isInteger(column.priority), `${column.name} has a priority`);
  }
  for (const object of objects) {
    const row = rows.find(({ cells }) => (cells as JsonValue[])[nameColumn] === nameOf(object));
    assert.ok(row !== undefined, `a row for ${nameOf(object)} in ${JSON.stringify(rows)}`);
    const cells = row["cells"] as JsonValue[];
    // v1.29 writes the age of an IPAddress, but has no column for it.
    assert.equal(cells.length, columns.length + (object["kind"] === "IPAddress" ? 1 : 0));
    for (const [index, column] of columns.entries()) {
      checkCell(column, cells[index]);
    }
    checkRowObject(row["object"], object, include);
  }
}

/** Column types are hints: v1.29 has numbers and booleans in columns of text, and words in a column of booleans. */
const cellTypes: Readonly<Record<string, readonly string[]>> = {
  string: ["string", "number", "boolean"],
  integer: ["number"],
  boolean: ["boolean", "string"],
  date: ["string"],
};

function checkCell(column: Column, cell: JsonValue | undefined): void {
  const text = `${column.name}: ${JSON.stringify(cell)}`;
  assert.ok(cellTypes[column.type]?.includes(typeof cell), `${text} in a column of type ${column.type}`);
  if (typeof cell === "number") {
    assert.ok(Number.isInteger(cell), text);
  }
  if (typeof cell === "string") {
    assert.doesNotMatch(cell, /undefined|null|NaN|\[object/, text);
  }
  if (column.name === "Age") {
    assert.match(String(cell), /^(\d+[smhdy])+$/, text);
  }
}

function checkRowObject(found: JsonValue | undefined, object: JsonObject, include: string): void {
  switch (include) {
    case "None":
      assert.equal(found, null);
      break;
    case "Object":
      assert.deepEqual(found, object);
      break;
    default:
      assert.ok(isJsonObject(found));
      assert.deepEqual(asObject(found), partialOf(object));
  }
}
