import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { JsonPathError } from "../../errors/errors.js";
import { evaluateJsonPath } from "./evaluate.js";
import { parseJsonPath } from "./parse.js";

const object: JsonObject = {
  metadata: { labels: { "example.com/x": "dotted" } },
  spec: { a: "x", list: [{ n: 1, t: "p" }, { n: 2, t: "q" }, { n: 3 }], nested: { a: { a: 1 } }, none: null },
  doubles: [{ n: 0.5 }, { n: 2.5, big: 9007199254740993n }],
  lists: [[], [1], [2, 3]],
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
  // A number with a point is a double, and can be compared with nothing else.
  [".doubles[?(@.n>1.0)].n", [2.5]],
  [".doubles[?(@.big==9007199254740993)].n", [2.5]],
  // A filter that asks whether there are values takes those before an error, too.
  [".lists[?(@[1])]", [[], [1], [2, 3]]],
  [".spec.list[?(n)].n", [1, 2, 3]],
  [".spec.list[?(@.x end)].n", []],
  // A slice of nothing ends the path for all lists behind it.
  [".lists[*][1:1]", []],
  [".lists[1:][0:1]", [1, 2]],
  [".spec.a.*", [120]],
  [".missing 'text'", ["text"]],
  [".spec.list[?(@.t=='\\x71')].n", [2]],
  [".spec.a}ignored", ["x"]],
  [".spec.a}{.spec.b", ["x"]],
];

/** Paths that can be read, but not followed. */
const wrong = [
  ...[
    ".with space",
    ".spec.list[?(@.n==null)]",
    ".spec.list[?(@.n==1.0)]",
    ".doubles[?(@.n>1)]",
    ".spec.list[?(@.n=~1)]",
  ],
  ...[".spec.a}{.spec.a[0]", ".spec.list range", ".spec.list[?(range)]", ".lists[0,5]", ".lists[::0]"],
];

describe("JSON paths of printer columns", () => {
  for (const [path, expected] of found) {
    it(`${path} leads to ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(evaluateJsonPath(parseJsonPath(path), object), expected);
    });
  }

  for (const path of [".spec.list[5]", ".spec.a[0]", ".spec[?(@.a)]", '.spec.list[?(@.n=="x")]', ...wrong]) {
    it(`${path} cannot be followed`, () => {
      assert.throws(() => evaluateJsonPath(parseJsonPath(path), object), JsonPathError);
    });
  }

  const misshapen = [
    ...[".spec[", ".spec[x]", ".spec[?(@.a]", "....a", ".a[1:2:3:4]", ".a\\", ".a ?b", ".a |", ".a{", ".a}{.b["],
    ...[".a[\n0]", ".a '\\p'", ".a '\\\"'", ".a\tb", ".a[?(@.b==})].c["],
  ];
  for (const path of misshapen) {
    it(`${path} is no path`, () => {
      assert.throws(() => parseJsonPath(path), JsonPathError);
    });
  }

  it("one that is very long, or whose filters lie very deep in each other, is not read", () => {
    for (const path of [`.${"a".repeat(100_000)}`, `${"[?(".repeat(31)}@${")]".repeat(31)}`]) {
      assert.throws(() => parseJsonPath(path), JsonPathError);
    }
  });

  it("one that would visit too much ends", () => {
    let deep: JsonValue = "x";
    for (let i = 0; i < 600; i++) {
      deep = { a: deep };
    }
    assert.throws(() => evaluateJsonPath(parseJsonPath("..a..a..a"), deep), JsonPathError);
  });
});
