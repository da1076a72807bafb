import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { applyStructuralDefaults, DecodeError, decodeJson, encodeJson, type JsonObject } from "@gatehouse/envelopes";
import { compileRootSchema } from "./compile-schema.js";

const preserve = { "x-kubernetes-preserve-unknown-fields": true };

function schemaOf(properties: JsonObject) {
  return compileRootSchema({ type: "object", properties: { spec: { type: "object", properties } } });
}

describe("Objects of custom kinds, read by their schema", () => {
  it("have sorted keys, and lose what the schema does not know", () => {
    const schema = schemaOf({
      b: { type: "string" },
      a: { type: "object", properties: { x: { type: "integer" } } },
      k: preserve,
    });
    const { object, unknownFields } = decodeJson(schema, {
      spec: { k: { z: 1, y: [{ b: 1, a: 2 }] }, b: "1", a: { y: 1, x: 2 }, c: [1] },
      other: true,
      kind: "K",
      apiVersion: "g/v1",
    });
    assert.equal(
      encodeJson(object),
      '{"apiVersion":"g/v1","kind":"K","spec":{"a":{"x":2},"b":"1","k":{"y":[{"a":2,"b":1}],"z":1}}}',
    );
    assert.deepEqual(unknownFields, ["other", "spec.a.y", "spec.c"]);
  });

  it("keep null only where it is allowed, or in the place of a default", () => {
    const schema = schemaOf({
      plain: { type: "string" },
      nullable: { type: "string", nullable: true },
      filled: { type: "string", default: "x" },
      list: { type: "array", items: { type: "string", default: "i" } },
    });
    const { object } = decodeJson(schema, { spec: { plain: null, nullable: null, filled: null, list: [null] } });
    assert.deepEqual(object["spec"], { filled: null, list: [null], nullable: null });
    applyStructuralDefaults(schema, object);
    assert.deepEqual(object["spec"], { filled: "x", list: ["i"], nullable: null });
  });

  it("get defaults that hold nothing unknown, and defaults inside of those", () => {
    const struct = { type: "object", default: { z: 1 }, properties: { a: { type: "integer", default: 3 } } };
    const schema = schemaOf({ struct, never: { type: "object", properties: { a: { type: "string", default: "x" } } } });
    const { object } = decodeJson(schema, { spec: {} });
    applyStructuralDefaults(schema, object);
    assert.deepEqual(object["spec"], { struct: { a: 3 } });
  });

  it("have typed metadata, and so have objects inside of them", () => {
    const embedded = { type: "object", "x-kubernetes-embedded-resource": true, ...preserve };
    const schema = schemaOf({ embedded });
    const inner = { apiVersion: "v1", kind: "Pod", metadata: { name: "x", foo: 1 }, data: { b: 1 } };
    const { object, unknownFields } = decodeJson(schema, {
      metadata: { name: "n", bar: 1 },
      spec: { embedded: inner },
    });
    assert.deepEqual(unknownFields, ["metadata.bar", "spec.embedded.metadata.foo"]);
    assert.deepEqual(object["spec"], { embedded: { ...inner, metadata: { name: "x" } } });
    assert.throws(
      () => decodeJson(schema, { spec: { embedded: { kind: 1 } } }),
      new DecodeError("spec.embedded.kind: Invalid value: 1: must be a string"),
    );
  });

  it("may have members such as __proto__", () => {
    const schema = schemaOf({ k: preserve });
    const { object } = decodeJson(schema, JSON.parse('{"spec":{"k":{"__proto__":{"x":1}}}}') as JsonObject);
    assert.equal(encodeJson(object), '{"spec":{"k":{"__proto__":{"x":1}}}}');
    assert.equal(({} as JsonObject)["x"], undefined);
  });
});
