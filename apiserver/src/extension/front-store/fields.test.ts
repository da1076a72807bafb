import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bytesOf, encodeFields, escapedLength } from "./fields.js";

test("a value is a text where it is one, and otherwise base64", () => {
  assert.deepEqual(encodeFields({ key: "/a" }, { value: Buffer.from("ä") }), {
    data: { key: "/a", value: "ä" },
    binaryData: {},
  });
  assert.deepEqual(encodeFields({}, { value: Buffer.from([0xff]) }), { data: {}, binaryData: { value: "/w==" } });
});

test("a long text that JSON makes longer than base64 is base64, a short one is not", () => {
  assert.deepEqual(Object.keys(encodeFields({}, { value: Buffer.from("<".repeat(10_000)) }).data), ["value"]);
  assert.deepEqual(Object.keys(encodeFields({}, { value: Buffer.from("<".repeat(100_000)) }).data), []);
  assert.deepEqual(Object.keys(encodeFields({}, { value: Buffer.from("a".repeat(100_000)) }).data), ["value"]);
});

test("any bytes are read as they were written", () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(bytes, (value) => {
      const fields = JSON.parse(JSON.stringify(encodeFields({}, { value: Buffer.from(value) })));
      assert.deepEqual(bytesOf(fields, "value"), Buffer.from(value));
    }),
  );
});

test("the length of a text in JSON is never more than is reckoned with", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const inJson = JSON.stringify(text).replaceAll(/[<>&\u2028\u2029]/g, "\\u0000");
      assert.ok(Buffer.byteLength(inJson) - 2 <= escapedLength(Buffer.from(text)));
    }),
  );
});

test("a field that is missing is not read as nothing", () => {
  assert.throws(() => bytesOf({ data: {} }, "value"), /it has no value/);
});
