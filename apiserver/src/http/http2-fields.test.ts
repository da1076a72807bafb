import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AnswerHeaders } from "../request/exchange.js";
import { pushFields, pushHeaders } from "./http2-fields.js";

describe("the headers of an answer over HTTP/2", () => {
  const fieldsOf = (headers: AnswerHeaders): string[] => {
    const fields: string[] = [];
    pushHeaders(fields, headers);
    return fields;
  };

  test("are in lower case, lists as several", () => {
    assert.deepEqual(fieldsOf({ "Audit-Id": "x", Warning: ["a", "b"], "Content-Length": 3, None: [] }), [
      ...["audit-id", "x", "warning", "a", "warning", "b", "content-length", "3"],
    ]);
  });

  test("that are names and values in turn are in lower case, too", () => {
    const fields: string[] = [];
    pushFields(fields, ["Audit-Id", "x", "Warning", "a", "warning", "b"]);
    assert.deepEqual(fields, ["audit-id", "x", "warning", "a", "warning", "b"]);
  });

  test("tell whether there is a date among them", () => {
    assert.equal(pushHeaders([], { Date: "now", A: "b" }), true);
    assert.equal(pushHeaders([], { A: "b" }), false);
    assert.equal(pushFields([], ["Date", "now", "A", "b"]), true);
    assert.equal(pushFields([], ["A", "b"]), false);
  });

  for (const name of ["Connection", "Transfer-Encoding", "upgrade", ":status", "a b", "a\r\nb", "", "é"]) {
    test(`are refused with the name ${JSON.stringify(name)}`, () => {
      assert.throws(() => fieldsOf({ [name]: "x" }), TypeError);
      assert.throws(() => pushFields([], [name, "x"]), TypeError);
    });
  }

  for (const value of ["a\nb", "a\rb", "a\0b", "\u010a", "\u{1f600}"]) {
    test(`are refused with the value ${JSON.stringify(value)}, alone and in a list`, () => {
      assert.throws(() => fieldsOf({ A: value }), TypeError);
      assert.throws(() => fieldsOf({ A: ["x", value] }), TypeError);
      assert.throws(() => pushFields([], ["A", value]), TypeError);
    });
  }

  test("may have every other character of Latin-1", () => {
    assert.deepEqual(fieldsOf({ A: "\t é~" }), ["a", "\t é~"]);
  });
});
