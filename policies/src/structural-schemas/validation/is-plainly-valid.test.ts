import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import fc from "fast-check";
import { CompiledSchema } from "./compiled-schema.js";
import { isPlainlyValid } from "./is-plainly-valid.js";
import { NodeMeter, validateValue } from "./validate-value.js";
import { ValidationResult } from "./validation-result.js";

/** Reports whether the whole check, with messages and pauses, finds no error. */
function isValid(schema: CompiledSchema, value: JsonValue): boolean {
  const result = new ValidationResult();
  for (const _pause of validateValue(schema, value, "", result, new NodeMeter())) {
    // The work goes on.
  }
  return result.isValid;
}

const names = ["a", "b", "__proto__"];
const scalars = fc.oneof(
  fc.constantFrom<JsonValue>("", "a", "aa", "2026-01-01", "x".repeat(9), 0, 1, 2.5, 7, -1, true, null, 2n ** 60n),
);
const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
  ),
})).value;

const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 4 }, { arbitrary: value, weight: 1 });
const small = fc.integer({ min: 0, max: 3 });
const schemas = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom({ type: "string" }, { type: "integer" }, {}),
    fc
      .record({
        type: some(fc.constantFrom("string", "integer", "number", "boolean", "array", "object")),
        format: some(fc.constantFrom("date", "int32", "unknown")),
        nullable: some(fc.boolean()),
        enum: some(fc.array(values, { minLength: 1, maxLength: 3 })),
        pattern: some(fc.constantFrom("^a", "(")),
        maxLength: some(small),
        minLength: some(small),
        maximum: some(small),
        minimum: some(small),
        exclusiveMinimum: some(fc.boolean()),
        multipleOf: some(fc.constantFrom(0, 1, 2)),
        maxItems: some(small),
        minItems: some(small),
        maxProperties: some(small),
        minProperties: some(small),
        required: some(fc.array(fc.constantFrom(...names), { maxLength: 2 })),
        properties: some(fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 3 })),
        additionalProperties: some(tie("schema")),
        items: some(tie("schema")),
        anyOf: some(fc.array(tie("schema"), { minLength: 1, maxLength: 2 })),
        not: some(tie("schema")),
        "x-kubernetes-int-or-string": some(fc.boolean()),
      })
      .map((members) => Object.fromEntries(Object.entries(members).filter(([, it]) => it !== undefined)) as JsonObject),
  ),
})).schema;

test("a value that is plainly valid has no error in the whole check, and a plain one without errors is plainly valid", () => {
  const seen = { plain: 0, other: 0 };
  fc.assert(
    fc.property(schemas, values, (source, value) => {
      const schema = new CompiledSchema(source);
      const isPlain = isPlainlyValid(schema, value);
      const isWhole = isValid(schema, value);
      assert.ok(isWhole || !isPlain);
      if (!/"(anyOf|not|enum)":/.test(fc.stringify(source))) {
        assert.equal(isPlain, isWhole);
      }
      seen[isPlain ? "plain" : "other"]++;
    }),
    { numRuns: 2000 },
  );
  assert.ok(seen.plain > 100 && seen.other > 100, JSON.stringify(seen));
});

test("a value that takes long to check is left to the check that pauses", () => {
  const list = new CompiledSchema({ type: "array", items: { type: "integer" } });
  assert.equal(isPlainlyValid(list, Array(3000).fill(1)), true);
  assert.equal(isPlainlyValid(list, Array(5000).fill(1)), false);
  const pattern = new CompiledSchema({ type: "string", pattern: "a" });
  assert.equal(isPlainlyValid(pattern, "a".repeat(10_000)), true);
  assert.equal(isPlainlyValid(pattern, "a".repeat(100_000)), false);
  const large = new CompiledSchema({ type: "array", items: { type: "string", pattern: "^([ab]?){900}c" } });
  assert.equal(isPlainlyValid(large, ["c"]), false, "the pattern is compiled");
  assert.equal(isPlainlyValid(large, ["c"]), true);
  assert.equal(isPlainlyValid(large, Array(10).fill(`${"a".repeat(300)}c`)), false);
  const alternatives = new CompiledSchema({ type: "array", items: { anyOf: [{ type: "string" }] } });
  assert.equal(isPlainlyValid(alternatives, ["a"]), false);
});
