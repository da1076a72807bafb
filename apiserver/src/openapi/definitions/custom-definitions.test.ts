import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type Dialect, openapi3Dialect, swaggerDialect } from "../dialect.js";
import { customDefinitions } from "./custom-definitions.js";

suite("what OpenAPI tells of custom kinds", () => {
  test("an embedded resource has the members of every object, of which two are required", () => {
    const template = { type: "object", "x-kubernetes-embedded-resource": true, required: ["kind", "spec"] };
    for (const place of [
      { properties: { template } },
      { properties: { list: { type: "array", items: template } } },
      { properties: { map: { type: "object", additionalProperties: template } } },
    ]) {
      for (const dialect of [swaggerDialect, openapi3Dialect]) {
        const [published] = embeddedIn(publish({ type: "object", ...place }, dialect));
        assert.deepEqual(published?.["required"], ["kind", "spec", "apiVersion"]);
        assert.deepEqual(Object.keys(published?.["properties"] ?? {}), ["apiVersion", "kind", "metadata"]);
      }
    }
  });

  test("in version 2 an embedded resource that may hold anything says no more, lest clients refuse the rest", () => {
    const open = { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true };
    const schema = { type: "object", properties: { template: { type: "object", ...open } } };
    assert.deepEqual(embeddedIn(publish(schema, swaggerDialect)), [open]);
    const [published] = embeddedIn(publish(schema, openapi3Dialect));
    assert.deepEqual(published?.["required"], ["kind", "apiVersion"]);
  });

  test("a number or text tells its types also to those who do not know the extension, unless the schema does", () => {
    const types = [{ type: "integer" }, { type: "string" }];
    const either = { "x-kubernetes-int-or-string": true };
    for (const [stated, published] of [
      [either, { ...either, anyOf: types }],
      [
        { ...either, pattern: "a" },
        { ...either, pattern: "a", anyOf: types },
      ],
      [{ ...either, anyOf: types }, undefined],
      [{ ...either, allOf: [{ anyOf: types }, { pattern: "a" }] }, undefined],
      [
        { ...either, anyOf: [{ pattern: "a" }] },
        { ...either, anyOf: [{ pattern: "a" }], allOf: [{ anyOf: types }] },
      ],
      [
        { type: "array", items: either },
        { type: "array", items: { ...either, anyOf: types } },
      ],
      [
        { type: "object", additionalProperties: either },
        { type: "object", additionalProperties: { ...either, anyOf: types } },
      ],
    ] as const) {
      assert.deepEqual(member(stated as JsonObject, openapi3Dialect), published ?? stated);
    }
    assert.deepEqual(member(either, swaggerDialect), either);
  });

  test("version 2 keeps rules and what an open map holds, and requires nothing that may be null; no version has examples", () => {
    const rules = { "x-kubernetes-validations": [{ rule: "self != 'a'" }] };
    const values = { type: "object", properties: { a: { type: "string" } } };
    for (const [stated, published] of [
      [{ type: "string", ...rules }, undefined],
      [{ type: "object", nullable: true, additionalProperties: values }, { additionalProperties: values }],
      [{ type: "object", nullable: true, properties: { a: { type: "string" } } }, {}],
      [{ type: "array", nullable: true, items: { type: "string" } }, {}],
      [
        { type: "object", properties: { a: { type: "string", nullable: true }, b: {} }, required: ["a", "b"] },
        { type: "object", properties: { a: {}, b: {} }, required: ["b"] },
      ],
      [
        { type: "object", properties: { a: { type: "string", nullable: true } }, required: ["a"] },
        { type: "object", properties: { a: {} } },
      ],
      [
        { type: "string", title: "t", example: "e", externalDocs: { url: "u" } },
        { type: "string", title: "t" },
      ],
    ] as const) {
      assert.deepEqual(member(stated as JsonObject, swaggerDialect), published ?? stated);
    }
    assert.deepEqual(member({ type: "string", example: "e" }, openapi3Dialect), { type: "string" });
  });

  test("in version 2 a kind that may hold anything is just an object", () => {
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const kinds = { "x-kubernetes-group-version-kind": [{ group: "example.com", version: "v1", kind: "Any" }] };
    assert.deepEqual(publish(schema, swaggerDialect), { type: "object", ...kinds });
    assert.deepEqual(Object.keys(publish(schema, openapi3Dialect)["properties"] ?? {}), [
      "apiVersion",
      "kind",
      "metadata",
    ]);
  });
});

/** Returns what is published of a member with a schema. */
function member(schema: JsonObject, dialect: Dialect): unknown {
  const { properties } = publish({ type: "object", properties: { one: schema } }, dialect) as {
    properties: { one: unknown };
  };
  return properties.one;
}

function publish(schema: JsonObject, dialect: Dialect): JsonObject {
  const resource = {
    resource: "anys",
    singular: "any",
    kind: "Any",
    namespaced: true,
    verbs: [],
    shortNames: [],
    categories: [],
    storageVersionHash: "",
    subresources: [],
    openAPIV3Schema: () => schema,
  };
  const definitions = customDefinitions({ group: "example.com", version: "v1", resources: [resource] }, () => false);
  return definitions.get("Any")?.schema(dialect) ?? {};
}

/** Returns every part of a schema that is an embedded resource. */
function embeddedIn(value: unknown): readonly JsonObject[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const here = "x-kubernetes-embedded-resource" in value ? [value as JsonObject] : [];
  return [...here, ...Object.values(value).flatMap(embeddedIn)];
}
