import assert from "node:assert/strict";
import { test } from "node:test";
import { warningHeaders } from "./warning.js";

test("a warning is code 299, no agent, and the text in quotes", () => {
  assert.deepEqual(warningHeaders(['unknown field "a\\b"']), ['299 - "unknown field \\"a\\\\b\\""']);
});

test("text beyond ASCII goes out as the bytes of its UTF-8 form, which is what header values can hold", () => {
  const [header] = warningHeaders(["é 漢 \u{1F600}"]);
  assert.match(String(header), /^[\x20-\xff]*$/);
  assert.equal(Buffer.from(String(header), "latin1").toString(), '299 - "é 漢 \u{1F600}"');
});

test("what no header may hold does not come into one", () => {
  assert.deepEqual(warningHeaders(["a\r\nSet-Cookie: b\u0000\u0013\u007f"]), ['299 - "a  Set-Cookie: b   "']);
});

test("warnings that are too much in all are cut to 256 characters each, up to 4096", () => {
  const long = warningHeaders(["x".repeat(4000), "y".repeat(300)]);
  assert.deepEqual(long, [`299 - "${"x".repeat(256)}"`, `299 - "${"y".repeat(256)}"`]);
  const many = warningHeaders(
    Array.from({ length: 1000 }, (_, index) => `${String(index).padStart(4, "0")}${"z".repeat(300)}`),
  );
  assert.equal(many.length, 16);
});

test("one warning may be long, if it is alone", () => {
  assert.deepEqual(warningHeaders(["x".repeat(4096)]), [`299 - "${"x".repeat(4096)}"`]);
});
