import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { Definitions } from "../openapi/definitions/definitions.js";
import { kindNames } from "../openapi/definitions/kind-names.js";
import { type Dialect, openapi3Dialect, swaggerDialect } from "../openapi/dialect.js";
import { withTypedKinds } from "../openapi/schema-source.js";
import { typedSchemas } from "./typed-schema.js";

const validation = { rule: "self.size > 0", message: "must have a size" };
const source: JsonObject = {
  type: "object",
  "x-kubernetes-validations": [{ rule: "has(self.spec)" }],
  properties: {
    spec: {
      type: "object",
      title: "ShirtSpec",
      required: ["size"],
      minProperties: 1,
      "x-kubernetes-validations": [validation],
      properties: {
        size: { type: "integer", format: "int32", minimum: 1, maximum: 60, exclusiveMaximum: true, default: 40 },
        color: { type: "string", enum: ["red", "blue"], description: "The color." },
        label: { type: "string", pattern: "^[a-z]+$", minLength: 1, maxLength: 9 },
        id: { type: "string", format: "uuid" },
        grade: { type: "integer", enum: [3, 1] },
        sold: { type: "string", format: "date-time", nullable: true },
        tags: { type: "array", maxItems: 3, uniqueItems: false, items: { type: "string", enum: ["new", "old"] } },
        parts: { type: "object", maxProperties: 2, additionalProperties: { type: "number", multipleOf: 0.5 } },
        choice: { type: "string", oneOf: [{ minLength: 3 }, { maxLength: 1 }] },
      },
    },
  },
};

/** Returns the definitions of the kind and of its spec. */
function published(dialect: Dialect): {
  readonly kind: JsonObject;
  readonly spec: JsonObject;
  readonly list: JsonObject;
} {
  const names = { group: "shop.example.com", version: "v1", kind: "Shirt", definitionPackage: "com.example.shop" };
  const schemas = typedSchemas(names, source);
  const registry = withTypedKinds([schemas.kind, schemas.list]);
  const definitions = new Definitions(dialect, {
    messageSchema: registry.messageSchema,
    kindNames: kindNames(registry),
  });
  const [kind, list] = [schemas.kind, schemas.list].map(({ schema }) => definitions.get(definitions.refer(schema)));
  return {
    kind: kind?.schema ?? {},
    list: list?.schema ?? {},
    spec: definitions.get("com.example.shop.v1.ShirtSpec").schema,
  };
}

describe("the OpenAPI definitions of a typed kind", () => {
  it("show in version 3 what its schema allows, at every level", () => {
    const { kind, list, spec } = published(openapi3Dialect);
    assert.deepEqual(kind["x-kubernetes-validations"], source["x-kubernetes-validations"]);
    assert.equal(list["x-kubernetes-validations"], undefined);
    const { properties, ...others } = spec;
    assert.deepEqual(others, {
      type: "object",
      required: ["size"],
      minProperties: 1,
      "x-kubernetes-validations": [validation],
    });
    assert.deepEqual(properties, {
      choice: { type: "string", oneOf: [{ minLength: 3 }, { maxLength: 1 }] },
      color: {
        description: 'The color.\n\nPossible enum values:\n - `"blue"`\n - `"red"`',
        type: "string",
        enum: ["blue", "red"],
      },
      grade: { type: "integer", format: "int64", enum: [3, 1] },
      id: { type: "string", format: "uuid" },
      label: { type: "string", pattern: "^[a-z]+$", minLength: 1, maxLength: 9 },
      parts: {
        type: "object",
        maxProperties: 2,
        additionalProperties: { default: 0, type: "number", format: "double", multipleOf: 0.5 },
      },
      size: { default: 40, type: "integer", format: "int32", minimum: 1, maximum: 60, exclusiveMaximum: true },
      sold: { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time" },
      tags: {
        type: "array",
        maxItems: 3,
        uniqueItems: false,
        items: { default: "", type: "string", enum: ["new", "old"] },
      },
    });
  });

  it("show in version 2 what that version has of it, as those of custom kinds do", () => {
    const { kind, spec } = published(swaggerDialect);
    assert.deepEqual(kind["x-kubernetes-validations"], source["x-kubernetes-validations"]);
    assert.deepEqual(spec["x-kubernetes-validations"], [validation]);
    const { choice, size, label, tags } = spec["properties"] as { readonly [name: string]: JsonObject };
    assert.deepEqual(choice, { type: "string" });
    assert.deepEqual(size, { type: "integer", format: "int32", minimum: 1, maximum: 60, exclusiveMaximum: true });
    assert.deepEqual(label, { type: "string", pattern: "^[a-z]+$", minLength: 1, maxLength: 9 });
    assert.deepEqual(tags, {
      type: "array",
      maxItems: 3,
      uniqueItems: false,
      items: { type: "string", enum: ["new", "old"] },
    });
  });
});
