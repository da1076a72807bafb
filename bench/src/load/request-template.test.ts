import assert from "node:assert/strict";
import { test } from "node:test";
import { numberMark, requestTemplate, writeNumber } from "./request-template.js";

test("the number goes into path and body, and the length stays true", () => {
  const template = requestTemplate("PUT", `/maps/${numberMark}`, `{"n":"é${numberMark}"}`, 3);
  const bytes = Buffer.from(template.bytes);
  writeNumber(template, bytes, 42);
  const [head, body] = bytes.toString().split("\r\n\r\n") as [string, string];
  assert.match(head, /^PUT \/maps\/042 HTTP\/1\.1\r\n/);
  assert.equal(body, '{"n":"é042"}');
  assert.match(head, new RegExp(`Content-Length: ${Buffer.byteLength(body)}$`));
});

test("a request without a body has no length and no type", () => {
  const text = requestTemplate("GET", "/x", undefined).bytes.toString();
  assert.equal(text, "GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n");
});
