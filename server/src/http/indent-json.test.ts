import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { indentJson } from "./indent-json.js";

function indented(text: string): string {
  return indentJson(Buffer.from(text)).toString();
}

describe("indentJson", () => {
  test("gives what JSON.stringify gives with an indentation of two", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value: unknown = JSON.parse(json);
        assert.equal(indented(JSON.stringify(value)), JSON.stringify(value, null, 2));
      }),
    );
  });

  test("keeps numbers and escapes as they are", () => {
    assert.equal(
      indented('{"a":[9007199254740993,1e5],"b":"\\u003c\\"[{\\\\","c":{},"d":[]}'),
      '{\n  "a": [\n    9007199254740993,\n    1e5\n  ],\n  "b": "\\u003c\\"[{\\\\",\n  "c": {},\n  "d": []\n}',
    );
  });

  test("leaves alone what would become monstrous", () => {
    const depth = 9000;
    const text = `${"[".repeat(depth)}${"1,".repeat(100_000)}1${"]".repeat(depth)}`;
    assert.equal(indented(text), text);
  });
});
