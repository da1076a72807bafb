import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { JsonBytes, JsonBytesError } from "./json-bytes.js";

/** Reports whether the scanner accepts a text as one value, and returns the bytes as it has left them. */
function scan(text: string): { readonly isJson: boolean; readonly left: string } {
  const bytes = Buffer.from(text);
  const json = new JsonBytes(bytes);
  try {
    json.value();
    return { isJson: json.peek() === -1, left: bytes.toString() };
  } catch (error) {
    assert.ok(error instanceof JsonBytesError && error.offset <= bytes.length, String(error));
    return { isJson: false, left: "" };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const pieces = [
  ...'[]{}:,"\\ \t\n\r0123456789.-+eE',
  "true",
  "false",
  "null",
  "\\u12ab",
  "\\n",
  "ü",
  "\u2028",
  "\0",
  "\x1f",
];

test("takes exactly what JSON.parse takes", () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom("", ...pieces),
      fc.nat(2),
      (text, place, piece, cut) => {
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + piece + text.slice(at + cut);
        // Half of a pair would be replaced when the text becomes bytes.
        fc.pre(!/\p{Surrogate}/u.test(changed));
        assert.equal(scan(changed).isJson, isJson(changed), JSON.stringify(changed));
      },
    ),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      assert.equal(scan(text).isJson, isJson(text), JSON.stringify(text));
    }),
    { numRuns: 5000 },
  );
});

test("leaves one line of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(1, 2, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const { left } = scan(text.replaceAll("\n", "\r\n"));
      assert.ok(!/[\r\n]/.test(left));
      assert.deepEqual(JSON.parse(left), JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});

test("goes no deeper than events and their objects may be, and needs no stack for that", () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    assert.ok(scan(`${open.repeat(10_010)}1${close.repeat(10_010)}`).isJson);
    assert.ok(!scan(`${open.repeat(10_011)}1${close.repeat(10_011)}`).isJson);
  }
});
