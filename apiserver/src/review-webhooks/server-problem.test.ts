import assert from "node:assert/strict";
import { test } from "node:test";
import { answerProblem, emptyBodyProblem } from "./server-problem.js";

test("three codes are told in the words of the server, if it has any", () => {
  const message = (code: number, contentType: string, body: string) =>
    answerProblem(code, contentType, Buffer.from(body))?.message;
  const unusable = "the server was unable to respond with a content type that the client supports";
  for (const [code, none, unknown] of [
    [403, "", "unknown"],
    [406, unusable, unusable],
    [415, "", "unknown"],
  ] as const) {
    assert.equal(message(code, "", ""), none);
    assert.equal(message(code, "application/json", '{"a":1}'), unknown);
    assert.equal(message(code, "text/plain", "unknown"), unknown);
    assert.equal(message(code, " Text/Plain ; a=b", " hello\n"), "hello");
  }
});

test("an answer is not read whose Content-Type is faulty, whatever its code", () => {
  for (const code of [200, 503]) {
    assert.deepEqual(answerProblem(code, "odd type", Buffer.from("{}")), {
      code: 500,
      reason: "InternalError",
      message: "Internal error occurred: mime: expected slash after first token",
    });
  }
  assert.equal(answerProblem(206, "odd", Buffer.from("{}")), undefined);
});

test("a Status is told that names its kind in any letters, in any version", () => {
  const told = (status: object) =>
    answerProblem(
      500,
      "application/json",
      Buffer.from(JSON.stringify({ status: "Failure", message: "told", ...status })),
    )?.message;
  const unknown = 'an error on the server ("unknown") has prevented the request from succeeding';
  for (const named of [
    { kind: "Status", apiVersion: "v1" },
    { KIND: "Status", apiVersion: "v9" },
    { kind: "Status", apiVersion: "a/b" },
    { kind: "Status" },
  ]) {
    assert.equal(told(named), "told", JSON.stringify(named));
  }
  assert.equal(told({ kind: "Status", message: undefined }), "");
  for (const other of [
    {},
    { apiVersion: "v1" },
    { kind: "Odd", apiVersion: "v1" },
    { kind: 5 },
    { kind: "Status", apiVersion: "a/b/c" },
    { kind: "Status", status: "Success" },
    { kind: "Status", status: undefined, Status: "Failure" },
    { kind: "Status", message: 5 },
  ]) {
    assert.equal(told(other), unknown, JSON.stringify(other));
  }
});

test("an answer without a body passes for JSON where it says nothing else", () => {
  assert.equal(emptyBodyProblem(204, ""), "0-length response with status code: 204 and content type: application/json");
  assert.equal(emptyBodyProblem(200, "a/b"), "0-length response with status code: 200 and content type: a/b");
});

test("what a server says is quoted as Go does", () => {
  const body = Buffer.from("é <&>\u2028\u0007\u{1f600}");
  assert.equal(
    answerProblem(500, "text/plain", body)?.message,
    'an error on the server ("é <&>\\u2028\\a\u{1f600}") has prevented the request from succeeding',
  );
});

test("a problem has a reason and details, by which the failed call may be sent again or be answered to the client", () => {
  const status = { kind: "Status", status: "Failure", code: 400, reason: "Odd", message: "told" };
  const of = (code: number, body: string, retryAfterSeconds?: number) =>
    answerProblem(code, "text/plain", Buffer.from(body), retryAfterSeconds);
  const causes = [{ reason: "UnexpectedServerResponse", message: "later" }];
  assert.deepEqual(of(503, "later", 2), {
    code: 503,
    reason: "ServiceUnavailable",
    message: "the server is currently unable to handle the request",
    details: { causes, retryAfterSeconds: 2 },
  });
  assert.deepEqual(of(403, ""), {
    code: 403,
    reason: "Forbidden",
    message: "",
    details: { causes: [{ reason: "UnexpectedServerResponse" }] },
  });
  assert.deepEqual(of(500, JSON.stringify(status), 2), { code: 400, reason: "Odd", message: "told" });
  const details = { name: "n", retryAfterSeconds: 3 };
  assert.deepEqual(of(500, JSON.stringify({ ...status, details }))?.details, details);
});
