import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { Stopwatch } from "./stopwatch.js";
import { compareValues } from "./unchanged-parts.js";

const stopwatch = new Stopwatch(() => 0);

const integer = { type: "integer" };
const item = { type: "object", properties: { name: { type: "string" }, v: integer } };
const schema: JsonObject = {
  type: "object",
  properties: {
    "a.b": { type: "object", properties: { c: integer } },
    a: { type: "object", properties: { b: { type: "object", properties: { c: integer } } } },
    list: { type: "array", items: item },
    map: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: item },
  },
};

describe("A value that is compared with the old one", () => {
  test("is found by its path, with dots in names", () => {
    const old = { "a.b": { c: 1 }, a: { b: { c: 1 } } };
    const compared = compareValues({ "a.b": { c: 1 }, a: { b: { c: 2 } } }, old, schema, stopwatch);
    assert.equal(compared.isUnchangedAt("a.b.c"), true);
    assert.equal(compareValues({ a: { b: { c: 2 } } }, old, schema, stopwatch).isUnchangedAt("a.b.c"), false);
  });

  test("is unchanged if a value above it is", () => {
    const compared = compareValues(
      { list: [{ v: 1 }], a: { b: { c: 1 } } },
      { list: [{ v: 1 }], a: {} },
      schema,
      stopwatch,
    );
    assert.equal(compared.isUnchangedAt("list[0].v"), true);
    assert.equal(compared.isUnchangedAt("a.b"), false);
  });

  test("is compared by its key in lists that are maps, and not alone in other lists", () => {
    const old = { map: [{ name: "x", v: 1 }], list: [{ name: "x", v: 1 }] };
    const next = { map: [{ name: "y", v: 1 }, ...old.map], list: [{ name: "y", v: 1 }, ...old.list] };
    const compared = compareValues(next, old, schema, stopwatch);
    assert.equal(compared.isUnchangedAt("map[1].v"), true);
    assert.equal(compared.isUnchangedAt("map[0].v"), false);
    assert.equal(compared.isUnchangedAt("list[1].v"), false);
  });

  test("is new if it has no old value", () => {
    assert.equal(compareValues({ a: { b: { c: 1 } } }, {}, schema, stopwatch).member("a").isUnchanged, false);
  });
});
