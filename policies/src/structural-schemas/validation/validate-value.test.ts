import assert from "node:assert/strict";
import { test } from "node:test";
import { finishSteps } from "@gatehouse/envelopes/scheduling";
import { CompiledSchema } from "./compiled-schema.js";
import { toFieldErrors } from "./schema-error.js";
import { NodeMeter, validateValue } from "./validate-value.js";
import { ValidationResult } from "./validation-result.js";

test("values that two schemas enumerate for one member are two errors, as in v1.29", () => {
  const schema = new CompiledSchema({
    type: "object",
    properties: { size: { type: "string", enum: ["b"] } },
    allOf: [{ properties: { size: { enum: ["a", 1] } } }, { properties: { size: { enum: ["b"] } } }],
  });
  const result = new ValidationResult();
  finishSteps(validateValue(schema, { size: "c" }, "spec", result, new NodeMeter()));
  assert.deepEqual(
    toFieldErrors(result.errors).map(({ field, message }) => `${field}: ${message}`),
    [
      'spec.size: Unsupported value: "c": supported values: "a", "1"',
      'spec.size: Unsupported value: "c": supported values: "b"',
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ],
  );
});
