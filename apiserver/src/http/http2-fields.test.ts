import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pushFields } from "./http2-fields.js";

describe("the headers of an answer over HTTP/2", () => {
  const fieldsOf = (...sent: string[]): string[] => {
    const fields: string[] = [];
    pushFields(fields, sent);
    return fields;
  };

  test("are in lower case", () => {
    const sent = ["Audit-Id", "x", "Warning", "a", "warning", "b"];
    assert.deepEqual(fieldsOf(...sent), ["audit-id", "x", "warning", "a", "warning", "b"]);
  });

  test("tell whether there is a date among them", () => {
    assert.equal(pushFields([], ["Date", "now", "A", "b"]), true);
    assert.equal(pushFields([], ["A", "b"]), false);
  });

  for (const name of ["Connection", "Transfer-Encoding", "upgrade", ":status", "a b", "a\r\nb", "", "é"]) {
    test(`are refused with the name ${JSON.stringify(name)}`, () => {
      assert.throws(() => fieldsOf(name, "x"), TypeError);
    });
  }

  for (const value of ["a\nb", "a\rb", "a\0b", "\u010a", "\u{1f600}"]) {
    test(`are refused with the value ${JSON.stringify(value)}`, () => {
      assert.throws(() => fieldsOf("A", value), TypeError);
    });
  }

  test("may have every other character of Latin-1", () => {
    assert.deepEqual(fieldsOf("A", "\t é~"), ["a", "\t é~"]);
  });
});
