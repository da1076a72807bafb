import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeJson, encodeJson } from "@gatehouse/envelopes/codec";
import { applyStructuralDefaults } from "@gatehouse/envelopes/defaults";
import { DecodeError, TooManyDefaultsError } from "@gatehouse/envelopes/errors";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { compileKeepingRootSchema, compileRootSchema } from "./compile-schema.js";

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

  it("get the defaults that are stated for the type and the metadata of embedded objects, without what is no metadata", () => {
    const embedded = { type: "object", "x-kubernetes-embedded-resource": true };
    const text = (stated: string): JsonObject => ({ type: "string", default: stated });
    const apiVersion = text("apps/v1");
    const kind = text("Foo");
    const whole = { apiVersion: "apps/v1", kind: "Foo", metadata: { name: "bar", unknown: "x" } };
    const schema = schemaOf({
      fields: {
        ...embedded,
        properties: {
          apiVersion,
          kind,
          metadata: { type: "object", properties: { name: text("bar"), unknown: text("x") } },
        },
      },
      metadata1: {
        ...embedded,
        properties: { apiVersion, kind, metadata: { type: "object", default: { name: "bar", unknown: "x" } } },
      },
      object: { ...embedded, properties: { foo: { type: "string" } }, default: whole },
    });
    const { object } = decodeJson(schema, { spec: { fields: { metadata: {} }, metadata1: {} } });
    applyStructuralDefaults(schema, object);
    const expected = { apiVersion: "apps/v1", kind: "Foo", metadata: { name: "bar" } };
    assert.deepEqual(object["spec"], { fields: expected, metadata1: expected, object: expected });
  });

  it("lose nothing, not even null, where the definition has them keep everything", () => {
    const source: JsonObject = {
      type: "object",
      properties: {
        spec: { type: "object", properties: { list: { type: "array", items: { type: "object" } } } },
        map: { type: "object", additionalProperties: { type: "object", properties: { a: { type: "string" } } } },
        free: { type: "object", additionalProperties: true },
      },
    };
    const sent = {
      spec: { z: null, list: [{ b: 1, a: null }], deep: { er: [[{ c: null }]] } },
      map: { m: { b: 1, a: null } },
      free: { f: { b: { c: null } } },
      kind: "K",
      apiVersion: "g/v1",
    };
    for (const schema of [compileKeepingRootSchema(source), compileKeepingRootSchema(undefined)]) {
      const { object, unknownFields } = decodeJson(schema, sent);
      assert.equal(
        encodeJson(object),
        '{"apiVersion":"g/v1","free":{"f":{"b":{"c":null}}},"kind":"K","map":{"m":{"a":null,"b":1}},' +
          '"spec":{"deep":{"er":[[{"c":null}]]},"list":[{"a":null,"b":1}],"z":null}}',
      );
      assert.deepEqual(unknownFields, []);
    }
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

  it("lose members below long names, which are told as far as their paths are no longer than a few hundred KiB", () => {
    const name = "n".repeat(100_000);
    const map = { type: "object", additionalProperties: { type: "object" } };
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`u${index}`, index]));
    const { unknownFields } = decodeJson(schemaOf({ map }), { spec: { map: { [name]: unknown } } });
    assert.deepEqual(
      unknownFields,
      ["u0", "u1", "u10"].map((member) => `spec.map.${name}.${member}`),
    );
  });

  it("may have members such as __proto__", () => {
    const schema = schemaOf({ k: preserve });
    const { object } = decodeJson(schema, JSON.parse('{"spec":{"k":{"__proto__":{"x":1}}}}') as JsonObject);
    assert.equal(encodeJson(object), '{"spec":{"k":{"__proto__":{"x":1}}}}');
    assert.equal(({} as JsonObject)["x"], undefined);
  });
});

describe("The defaults of a schema, filled into small objects", () => {
  const text = "x".repeat(1000);
  const hundred = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`d${index}`, { type: "string", default: text }]),
  );
  const listOf = (properties: JsonObject) =>
    schemaOf({ list: { type: "array", items: { type: "object", properties } } });
  const empty = (count: number): JsonObject[] => Array.from({ length: count }, () => ({}));

  it("may add as much as an object that can be stored may have", () => {
    const list = empty(15);
    const addedBytes = applyStructuralDefaults(listOf(hundred), { spec: { list } });
    assert.equal(addedBytes, encodeJson(list).length - encodeJson(empty(15)).length + 15);
    assert.equal(list.length, 15);
    assert.equal(list[14]?.["d99"], text);
  });

  it("end where the object is larger than that, with no more work", () => {
    const list = empty(30_000);
    assert.throws(() => applyStructuralDefaults(listOf(hundred), { spec: { list } }), TooManyDefaultsError);
    assert.deepEqual(list.map((item) => Object.keys(item).length).slice(14, 17), [100, 58, 0]);
    assert.equal(
      list.findLastIndex((item) => Object.keys(item).length > 0),
      15,
    );
  });

  it("end where they add more values than a body may hold", () => {
    const list = empty(3000);
    const digits = Object.fromEntries(Object.keys(hundred).map((name) => [name, { type: "integer", default: 1 }]));
    assert.throws(() => applyStructuralDefaults(listOf(digits), { spec: { list } }), TooManyDefaultsError);
    assert.equal(
      list.findLastIndex((item) => Object.keys(item).length > 0),
      999,
    );
  });

  it("are looked for among the members of an object, not among all that its schema knows", () => {
    const inner = { type: "object", properties: { a: { type: "string", default: "x" } } };
    const schema = listOf(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, inner])));
    let looks = 0;
    const count = <T>(result: T): T => {
      looks++;
      return result;
    };
    const counted = new Proxy<JsonObject>(
      { p7: {}, p8: {} },
      {
        get: (target, key, receiver) => count(Reflect.get(target, key, receiver)),
        has: (target, key) => count(Reflect.has(target, key)),
        getOwnPropertyDescriptor: (target, key) => count(Reflect.getOwnPropertyDescriptor(target, key)),
      },
    );
    const object: JsonObject = { spec: { list: [counted] } };
    applyStructuralDefaults(schema, object);
    assert.ok(looks < 10, `${looks} looks at two members`);
    assert.equal(encodeJson(object), '{"spec":{"list":[{"p7":{"a":"x"},"p8":{"a":"x"}}]}}');
  });
});
