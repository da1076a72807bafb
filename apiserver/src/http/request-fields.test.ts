import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { escapedTarget, headersOf } from "./request-fields.js";

describe("the headers of a request", () => {
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

test("a path is escaped where the request line of HTTP/1.1 could not carry it", () => {
  const plain = "/api/v1/namespaces/a%20b?labelSelector=a%3Db&x=!~'\"{}|";
  assert.equal(escapedTarget(plain), plain);
  assert.equal(escapedTarget("/x HTTP/1.1?a= b \xc3\xa9"), "/x%20HTTP/1.1?a=%20b%20%C3%A9");
});
