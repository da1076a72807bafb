import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { openapi3OfSwagger } from "./openapi3-of-swagger.js";

// Documents of version 2 that a server behind kube-apiserver v1.29.0 had, and what that made of them.
const recorded: readonly { readonly swagger: JsonObject; readonly openapi3: JsonObject }[] = JSON.parse(
  readFileSync(new URL("../../../src/openapi/foreign/recorded-conversions.json", import.meta.url), "utf8"),
);

recorded.forEach(({ swagger, openapi3 }, index) => {
  test(`a Swagger 2.0 document becomes what v1.29 makes of it (${index + 1} of ${recorded.length})`, () => {
    assert.deepEqual(openapi3OfSwagger(swagger), openapi3);
  });
});

test("names like those of an object's prototype are names like any other", () => {
  const definitions: JsonObject = JSON.parse(
    '{"__proto__":{"type":"string"},"constructor":{"$ref":"#/definitions/__proto__"}}',
  );
  const { components } = openapi3OfSwagger({ swagger: "2.0", definitions });
  assert.equal(
    JSON.stringify(components),
    '{"schemas":{"__proto__":{"type":"string"},"constructor":{"$ref":"#/components/schemas/__proto__"}}}',
  );
});
