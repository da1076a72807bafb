import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Field, ObjectSchema, ScalarSchema, Schema } from "@gatehouse/envelopes/schema";
import { type Dialect, openapi3Dialect, swaggerDialect } from "../dialect.js";
import type { Definition } from "./definition.js";
import { Definitions } from "./definitions.js";

const text: ScalarSchema = { type: "scalar", scalar: "string", enum: undefined };
const part = message("k8s.io.api.example.v1.Part", [
  field("size", { type: "scalar", scalar: "int32", enum: undefined }),
]);
const atomicPart: ObjectSchema = { ...part, mapType: "atomic" };
const mode: ScalarSchema = { type: "scalar", scalar: "string", enum: ["On", "Off"] };

function field(name: string, schema: Schema, more: Partial<Field> = {}): Field {
  return {
    name,
    schema,
    description: "",
    number: 1,
    inline: false,
    pointer: false,
    omitEmpty: true,
    required: false,
    default: undefined,
    patchStrategy: [],
    patchMergeKey: undefined,
    ...more,
  };
}

function message(name: string, fields: readonly Field[], more: Partial<ObjectSchema> = {}): ObjectSchema {
  return {
    type: "object",
    name,
    description: "",
    fields,
    properties: new Map(fields.map((item) => [item.name, item])),
    mapType: undefined,
    hasProtobuf: true,
    ...more,
  };
}

function define(dialect: Dialect, ...fields: readonly Field[]): Definition {
  return defineMessage(dialect, message("k8s.io.api.example.v1.Thing", fields));
}

function defineMessage(dialect: Dialect, schema: ObjectSchema): Definition {
  const messages = new Map([schema, part].map((item) => [item.name, item]));
  const definitions = new Definitions(dialect, {
    messageSchema: (name) => messages.get(name) as ObjectSchema,
    kindNames: { of: (name) => (name.endsWith("Thing") ? [{ group: "example", version: "v1", kind: "Thing" }] : []) },
  });
  return definitions.get(definitions.refer(schema));
}

/** Returns the property `a` of a definition with that one field. */
function property(dialect: Dialect, schema: Schema, more: Partial<Field> = {}): unknown {
  const { properties } = define(dialect, field("a", schema, more)).schema;
  return (properties as { a: unknown }).a;
}

suite("OpenAPI definitions", () => {
  test("a kind shows its members by name, what is required in wire order, and what it is", () => {
    const { schema, refs } = define(
      swaggerDialect,
      field("b", text, { required: true, description: "The b." }),
      field("a", part, { required: true }),
    );
    assert.deepEqual(schema, {
      type: "object",
      required: ["b", "a"],
      properties: {
        a: { $ref: "#/definitions/io.k8s.api.example.v1.Part" },
        b: { description: "The b.", type: "string" },
      },
      "x-kubernetes-group-version-kind": [{ group: "example", version: "v1", kind: "Thing" }],
    });
    assert.deepEqual(refs, ["io.k8s.api.example.v1.Part"]);
  });

  test("a reference takes no siblings in version 3", () => {
    assert.deepEqual(property(openapi3Dialect, part, { description: "A part." }), {
      description: "A part.",
      default: {},
      allOf: [{ $ref: "#/components/schemas/io.k8s.api.example.v1.Part" }],
    });
    assert.deepEqual(property(openapi3Dialect, part, { pointer: true }), {
      $ref: "#/components/schemas/io.k8s.api.example.v1.Part",
    });
    assert.deepEqual(property(swaggerDialect, part, { description: "A part." }), {
      description: "A part.",
      $ref: "#/definitions/io.k8s.api.example.v1.Part",
    });
  });

  test("version 3 states defaults, and zero values that are always written; version 2 does not", () => {
    assert.deepEqual(property(openapi3Dialect, text, { default: "x" }), { default: "x", type: "string" });
    assert.deepEqual(property(swaggerDialect, text, { default: "x" }), { type: "string" });
    assert.deepEqual(property(openapi3Dialect, text, { omitEmpty: false }), { default: "", type: "string" });
    assert.deepEqual(property(openapi3Dialect, text, { omitEmpty: false, pointer: true }), { type: "string" });
    const strings: Schema = { type: "list", items: text, listType: "set", listMapKeys: [], wrapped: false };
    assert.deepEqual(property(openapi3Dialect, strings), {
      "x-kubernetes-list-type": "set",
      type: "array",
      items: { default: "", type: "string" },
    });
    assert.deepEqual(property(swaggerDialect, strings), {
      "x-kubernetes-list-type": "set",
      type: "array",
      items: { type: "string" },
    });
  });

  test("scalars have the types and formats of v1.29", () => {
    const scalar = (kind: ScalarSchema["scalar"], dialect = swaggerDialect): unknown =>
      property(dialect, { type: "scalar", scalar: kind, enum: undefined });
    assert.deepEqual(scalar("int64"), { type: "integer", format: "int64" });
    assert.deepEqual(scalar("double"), { type: "number", format: "double" });
    assert.deepEqual(scalar("bytes"), { type: "string", format: "byte" });
    assert.deepEqual(scalar("boolean"), { type: "boolean" });
    assert.deepEqual(scalar("time"), { $ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Time" });
    assert.deepEqual(scalar("quantity", openapi3Dialect), {
      $ref: "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity",
    });
  });

  test("a closed set of values is sorted and named in the description", () => {
    assert.deepEqual(property(swaggerDialect, mode, { description: "On or off." }), {
      description: 'On or off.\n\nPossible enum values:\n - `"Off"`\n - `"On"`',
      type: "string",
      enum: ["Off", "On"],
    });
  });

  test("the values of list items and of maps are told without their closed set", () => {
    const modes: Schema = { type: "list", items: mode, listType: "set", listMapKeys: [], wrapped: false };
    assert.deepEqual(property(swaggerDialect, modes), {
      "x-kubernetes-list-type": "set",
      type: "array",
      items: { type: "string" },
    });
    assert.deepEqual(property(swaggerDialect, { type: "map", values: mode, mapType: undefined }), {
      type: "object",
      additionalProperties: { type: "string" },
    });
  });

  test("bytes carry the marker of the list that they are in Go", () => {
    assert.deepEqual(
      property(swaggerDialect, { type: "scalar", scalar: "bytes", enum: undefined, listType: "atomic" }),
      { "x-kubernetes-list-type": "atomic", type: "string", format: "byte" },
    );
  });

  test("merging is marked on lists and maps", () => {
    const parts: Schema = { type: "list", items: part, listType: "map", listMapKeys: ["size"], wrapped: false };
    assert.deepEqual(
      property(swaggerDialect, parts, { patchStrategy: ["merge", "retainKeys"], patchMergeKey: "size" }),
      {
        "x-kubernetes-list-map-keys": ["size"],
        "x-kubernetes-list-type": "map",
        "x-kubernetes-patch-merge-key": "size",
        "x-kubernetes-patch-strategy": "merge,retainKeys",
        type: "array",
        items: { $ref: "#/definitions/io.k8s.api.example.v1.Part" },
      },
    );
    assert.deepEqual(property(swaggerDialect, { type: "map", values: text, mapType: "atomic" }), {
      "x-kubernetes-map-type": "atomic",
      type: "object",
      additionalProperties: { type: "string" },
    });
  });

  test("a struct is marked where it is defined, or where it is used differently", () => {
    assert.deepEqual(property(swaggerDialect, atomicPart), {
      "x-kubernetes-map-type": "atomic",
      $ref: "#/definitions/io.k8s.api.example.v1.Part",
    });
    const own = message("k8s.io.api.example.v1.Whole", [], { mapType: "atomic" });
    assert.deepEqual(defineMessage(swaggerDialect, own).schema, { type: "object", "x-kubernetes-map-type": "atomic" });
  });

  test("a union names its members as Go does", () => {
    const union = message(
      "k8s.io.api.example.v1.Choice",
      [field("type", text, { required: true }), field("localhostProfile", text, { pointer: true })],
      { discriminator: "type" },
    );
    assert.deepEqual(defineMessage(swaggerDialect, union).schema["x-kubernetes-unions"], [
      { discriminator: "type", "fields-to-discriminateBy": { localhostProfile: "LocalhostProfile" } },
    ]);
  });
});
