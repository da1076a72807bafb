import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { indentJson, JsonIndenter } from "./indent-json.js";

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

  test("gives the same for a document in pieces, wherever they are cut", () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(40), { minLength: 1 }), (json, lengths) => {
        const text = Buffer.from(JSON.stringify(JSON.parse(json)));
        const indenter = new JsonIndenter();
        const pieces: Buffer[] = [];
        for (let at = 0, index = 0; at < text.length; index++) {
          const end = at + 1 + (lengths[index % lengths.length] ?? 0);
          pieces.push(indenter.push(text.subarray(at, end)));
          at = end;
        }
        assert.equal(Buffer.concat(pieces).toString(), indentJson(text).toString());
      }),
    );
  });

  test("leaves alone what would become monstrous", () => {
    const depth = 9000;
    const text = `${"[".repeat(depth)}${"1,".repeat(100_000)}1${"]".repeat(depth)}`;
    assert.equal(indented(text), text);
  });
});
