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
