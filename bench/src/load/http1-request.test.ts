import assert from "node:assert/strict";
import { test } from "node:test";
import { http1Request } from "./http1-request.js";
import { numberMark } from "./load-request.js";
import { writeNumber } from "./numbered-bytes.js";

test("the number goes into the body, and the length stays true", () => {
  const template = http1Request({ method: "PUT", path: "/maps", body: `{"n":"é${numberMark}"}` });
  const bytes = Buffer.from(template.bytes);
  writeNumber(template, bytes, 42);
  const [head, body] = bytes.toString().split("\r\n\r\n") as [string, string];
  assert.match(head, /^PUT \/maps HTTP\/1\.1\r\n/);
  assert.equal(body, '{"n":"é000000042"}');
  assert.match(head, new RegExp(`content-length: ${Buffer.byteLength(body)}$`));
});

test("a request without a body has no length and no type", () => {
  const text = http1Request({ method: "GET", path: "/x" }).bytes.toString();
  assert.equal(text, "GET /x HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n\r\n");
});
