import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DecodeError } from "../errors.js";
import type { JsonObject, JsonValue } from "../json/json.js";
import { schemaRegistry } from "../schema/registry.js";
import type { Field, ObjectSchema, ScalarKind, Schema } from "../schema/schema.js";
import { decodeJson } from "./decode-json.js";
import { encodeJson } from "./encode-json.js";
import { unwrapUnknown } from "./envelope.js";
import { parseJson } from "./parse-json.js";
import { decodeProtobuf } from "./protobuf-decode.js";
import { encodeProtobuf } from "./protobuf-encode.js";

const kinds = schemaRegistry()
  .kinds()
  .filter((kind) => kind.schema.hasProtobuf);

/** The level below which every member stays unset: PodSpec alone has hundreds of members. */
const maxLevels = 6;

const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: "grapheme", maxLength: 8 }));
const key = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "10", "9", "\u{1F600}", "\uFFFD"));

const scalars: Readonly<Record<ScalarKind, fc.Arbitrary<JsonValue>>> = {
  string: text,
  boolean: fc.boolean(),
  int32: fc.integer(),
  int64: fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 60n, max: 2n ** 63n - 1n })),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  bytes: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  time: fc
    .date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  microTime: fc
    .date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })
    .map((date) => date.toISOString().replace("Z", "123Z")),
  duration: fc.integer({ min: -100_000, max: 100_000 }).map((seconds) => `${seconds}s`),
  quantity: fc
    .tuple(fc.integer(), fc.constantFrom("", "m", "k", "Mi", "Gi", "e3", "n", ".5"))
    .map(([value, suffix]) => `${value}${suffix}`),
  intOrString: fc.oneof(fc.integer(), text),
};

function valueFor(schema: Schema, level: number): fc.Arbitrary<JsonValue> {
  switch (schema.type) {
    case "scalar":
      return scalars[schema.scalar];
    case "object":
      return objectFor(schema, level + 1);
    case "list":
      return fc.array(valueFor(schema.items, level), { maxLength: 2 });
    case "map":
      return fc.array(fc.tuple(key, valueFor(schema.values, level)), { maxLength: 3 }).map(toMap);
    case "json":
      return fc.constantFrom<JsonValue>({ a: [1, "<b>", null], b: { c: true } }, { kind: "X", apiVersion: "v1" });
    case "union": {
      const object = objectFor(schema.object, level + 1);
      return schema.form === "schemaOrBool"
        ? fc.oneof(fc.boolean(), object)
        : fc.oneof(
            object,
            schema.form === "schemaOrStrings"
              ? fc.array(text, { minLength: 1, maxLength: 2 })
              : fc.array(object, { minLength: 1, maxLength: 2 }),
          );
    }
  }
}

function toMap(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const map: JsonObject = {};
  for (const [name, value] of entries) {
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return map;
}

/** Returns an arbitrary object with a few members of the message, in any order. */
function objectFor(schema: ObjectSchema, level: number): fc.Arbitrary<JsonObject> {
  const fields = [...schema.properties.values()].filter(
    (field) => field.name !== "kind" && field.name !== "apiVersion",
  );
  if (level > maxLevels || fields.length === 0) {
    return fc.constant({});
  }
  return fc
    .uniqueArray(fc.integer({ min: 0, max: fields.length - 1 }), { maxLength: 5 })
    .chain((chosen) => fc.tuple(...chosen.map((index) => memberFor(fields[index] as Field, level))))
    .map(toMap);
}

function memberFor(field: Field, level: number): fc.Arbitrary<[string, JsonValue]> {
  return fc.tuple(
    fc.constant(field.name),
    fc.oneof({ weight: 9, arbitrary: valueFor(field.schema, level) }, { weight: 1, arbitrary: fc.constant(null) }),
  );
}

const anyObject = fc.constantFrom(...kinds).chain((kind) => fc.tuple(fc.constant(kind), objectFor(kind.schema, 0)));

test("decoding is idempotent, and JSON text carries an object unchanged", () => {
  fc.assert(
    fc.property(anyObject, ([kind, value]) => {
      const { object, unknownFields } = decodeJson(kind.schema, value);
      assert.deepEqual(unknownFields, []);
      const encoded = encodeJson(object);
      const parsed = parseJson(encoded);
      assert.deepEqual(parsed.duplicateFields, []);
      const again = decodeJson(kind.schema, parsed.value).object;
      assert.deepEqual(again, object);
      assert.equal(encodeJson(again), encoded);
    }),
    { numRuns: 300 },
  );
});

test("protobuf carries an object of any kind unchanged", () => {
  fc.assert(
    fc.property(anyObject, ([kind, value]) => {
      const { object } = decodeJson(kind.schema, value, { empty: "null" });
      const bytes = encodeProtobuf(kind.schema, object);
      const back = decodeProtobuf(kind.schema, bytes);
      assert.ok(encodeProtobuf(kind.schema, back).equals(bytes), "the same bytes again");
      assert.equal(encodeJson(decodeJson(kind.schema, back).object), encodeJson(back), "canonical");
    }),
    { numRuns: 300 },
  );
});

test("bytes that are cut off or changed are refused or read, never followed for ever", () => {
  fc.assert(
    fc.property(anyObject, fc.nat(), fc.nat(), fc.integer({ min: 0, max: 255 }), ([kind, value], cut, at, byte) => {
      const { object } = decodeJson(kind.schema, value);
      const bytes = encodeProtobuf(kind.schema, object);
      const changed = Buffer.from(bytes.subarray(0, cut % (bytes.length + 1)));
      if (changed.length > 0) {
        changed[at % changed.length] = byte;
      }
      for (const attempt of [() => decodeProtobuf(kind.schema, changed), () => unwrapUnknown(changed)]) {
        try {
          attempt();
        } catch (error) {
          assert.ok(error instanceof DecodeError, String(error));
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("any bytes are refused or read by any kind", () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 200 }), (kind, bytes) => {
      try {
        decodeProtobuf(kind.schema, bytes);
      } catch (error) {
        assert.ok(error instanceof DecodeError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});

test("any JSON value is refused or read by any kind", () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.jsonValue(), (kind, value) => {
      try {
        decodeJson(kind.schema, value as JsonValue);
      } catch (error) {
        assert.ok(error instanceof DecodeError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});

/** The intended differences from JSON.parse: half surrogate pairs, integers beyond 2^53, numbers that are no float. */
const beyondJsonParse = /\\u[dD][89a-fA-F]|\d{16}|\d[eE]/;

test("the parser reads what JSON.parse reads, and refuses what it refuses", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      fc.pre(!beyondJsonParse.test(json));
      assert.deepEqual(parseJson(json).value, JSON.parse(json));
    }),
  );
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 2 }),
      fc.nat(),
      fc.constantFrom("", "{", "}", "]", ",", ":", '"', "\\", "0", "-", "e", "\u0001"),
      (json, at, piece) => {
        const position = at % (json.length + 1);
        const changed = json.slice(0, position) + piece + json.slice(position + 1);
        let expected: unknown;
        try {
          expected = JSON.parse(changed);
        } catch {
          assert.throws(() => parseJson(changed), DecodeError);
          return;
        }
        if (/\\u[dD][89a-fA-F]|\d{16}|\d[eE]/.test(changed)) {
          return;
        }
        assert.deepEqual(parseJson(changed).value, expected);
      },
    ),
    { numRuns: 1000 },
  );
});
