import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonArray, JsonObject } from "@gatehouse/envelopes/json";
import { printerTable } from "./printer-columns.js";

function rowOf(columns: number, type: string, jsonPath: string, object: JsonObject): unknown[] {
  const definitions: JsonArray = Array.from({ length: columns }, (_, index) => ({ name: `c${index}`, type, jsonPath }));
  return printerTable(definitions).cells({ metadata: { name: "x" }, ...object }, { now: 0 });
}

describe("The cells of an object of a custom kind", () => {
  it("show as much text as a row has room for, and say of the others that they are too long", () => {
    const text = "x".repeat(1024 * 1024);
    const cells = rowOf(1000, "string", ".spec.text", { spec: { text } });
    assert.equal(cells.length, 1001);
    assert.deepEqual(cells.slice(0, 6), ["x", text, text, text, text, "<too long>"]);
    assert.deepEqual(new Set(cells.slice(5)), new Set(["<too long>"]));
  });

  it("show numbers that no int64 holds as Go shows doubles, and as the least whole number", () => {
    const spec = { large: 12345678901234567000n, whole: 9007199254740993n, double: 1e21 };
    const shown = (type: string, path: string): unknown => rowOf(1, type, path, { spec })[1];
    assert.deepEqual(
      ["large", "whole", "double"].map((name) => [shown("string", `.spec.${name}`), shown("integer", `.spec.${name}`)]),
      [
        ["1.2345678901234567e+19", -(2n ** 63n)],
        ["9007199254740993", 9007199254740993n],
        ["1e+21", -(2n ** 63n)],
      ],
    );
  });

  it("are empty where the path cannot be followed, also for the columns behind it", () => {
    const columns = [".spec.with space", ".spec.list[?(@.n>1.0)].n", ".spec.a|", ".spec. |", ".spec.a"].map(
      (jsonPath) => ({
        name: "c",
        type: "string",
        jsonPath,
      }),
    );
    const table = printerTable(columns);
    assert.equal(table.columns.length, 4);
    const object = { metadata: { name: "x" }, spec: { list: [{ n: 0.5 }, { n: 2.5 }], "a|": "b" } };
    assert.deepEqual(table.cells(object, { now: 0 }), ["x", null, "2.5", "b"]);
  });

  it("print a container no more often than the row has room for", () => {
    let reads = 0;
    const spec = new Proxy<JsonObject>(
      { text: "x".repeat(1024 * 1024) },
      {
        ownKeys(target) {
          reads++;
          return Reflect.ownKeys(target);
        },
      },
    );
    rowOf(1000, "string", ".spec", { spec });
    assert.equal(reads, 4);
  });

  it("look at no more values of the object than one row may", () => {
    const list = Array.from({ length: 40_000 }, (_, index) => index);
    const cells = rowOf(1000, "integer", ".spec.list[*]", { spec: { list } });
    assert.deepEqual(
      cells.slice(1, 13),
      Array.from({ length: 12 }, () => 0),
    );
    assert.deepEqual(new Set(cells.slice(13)), new Set([null]));
  });
});
