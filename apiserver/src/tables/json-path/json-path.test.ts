import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { JsonPathError } from "../../errors/errors.js";
import { evaluateJsonPath } from "./evaluate.js";
import { parseJsonPath } from "./parse.js";

const object: JsonObject = {
  metadata: { labels: { "example.com/x": "dotted" } },
  spec: { a: "x", list: [{ n: 1, t: "p" }, { n: 2, t: "q" }, { n: 3 }], nested: { a: { a: 1 } }, none: null },
};

const found: readonly (readonly [string, readonly JsonValue[]])[] = [
  [".spec.a", ["x"]],
  [".spec['a']", ["x"]],
  [".metadata.labels.example\\.com/x", ["dotted"]],
  [".spec.missing.further", []],
  [".spec.none", [null]],
  [".spec.list[0].n", [1]],
  [".spec.list[-1].n", [3]],
  [".spec.list[0:2].n", [1, 2]],
  [".spec.list[::2].n", [1, 3]],
  [".spec.list[*].t", ["p", "q"]],
  [".spec.list[0,2].n", [1, 3]],
  ['.spec.list[?(@.t=="q")].n', [2]],
  [".spec.list[?(@.n>=2)].n", [2, 3]],
  [".spec.list[?(@.t)].n", [1, 2]],
  [".spec.nested..a", [{ a: 1 }, 1]],
];

describe("JSON paths of printer columns", () => {
  for (const [path, expected] of found) {
    it(`${path} leads to ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(evaluateJsonPath(parseJsonPath(path), object), expected);
    });
  }

  for (const path of [".spec.list[5]", ".spec.a[0]", ".spec[?(@.a)]", '.spec.list[?(@.n=="x")]']) {
    it(`${path} cannot be followed`, () => {
      assert.throws(() => evaluateJsonPath(parseJsonPath(path), object), JsonPathError);
    });
  }

  for (const path of [".spec[", ".spec[x]", ".spec[?(@.a]", "....a", ".a[1:2:3:4]"]) {
    it(`${path} is no path`, () => {
      assert.throws(() => parseJsonPath(path), JsonPathError);
    });
  }

  it("one that would visit too much ends", () => {
    let deep: JsonValue = "x";
    for (let i = 0; i < 600; i++) {
      deep = { a: deep };
    }
    assert.throws(() => evaluateJsonPath(parseJsonPath("..a..a..a"), deep), JsonPathError);
  });
});
