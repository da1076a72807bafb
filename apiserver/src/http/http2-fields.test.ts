import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AnswerHeaders } from "../request/exchange.js";
import { escapedTarget, headersOf, pushFields, pushHeaders } from "./http2-fields.js";

describe("the headers of a request over HTTP/2", () => {
  test("are its fields by name, several of one name as a list", () => {
    const headers = headersOf(["accept", "a", "cookie", "a=1", "accept", "b", "cookie", "b=2"]);
    assert.deepEqual({ ...headers }, { accept: "a, b", cookie: "a=1; b=2" });
  });

  test("have the first of several values where there may be one", () => {
    const { authorization } = headersOf(["authorization", "Bearer a", "authorization", "Bearer b"]);
    assert.equal(authorization, "Bearer a");
  });

  test("have no prototype, whatever they are called", () => {
    const headers = headersOf(["__proto__", "a", "constructor", "b"]);
    assert.deepEqual(Object.entries(headers), [
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
    assert.equal(Object.getPrototypeOf(headers), null);
    assert.equal(headers["tostring"], undefined);
  });
});

test("a path over HTTP/2 is escaped where HTTP/1.1 could not carry it", () => {
  const plain = "/api/v1/namespaces/a%20b?labelSelector=a%3Db&x=!~'\"{}|";
  assert.equal(escapedTarget(plain), plain);
  assert.equal(escapedTarget("/x HTTP/1.1?a= b \xc3\xa9"), "/x%20HTTP/1.1?a=%20b%20%C3%A9");
});

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
