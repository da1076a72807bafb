import assert from "node:assert/strict";
import { test } from "node:test";
import { isForbidden, isPassing } from "./passing-problem.js";

const problem = (code: number, reason: string, details?: object) => ({
  code,
  reason,
  message: "",
  ...(details === undefined ? {} : { details }),
});

test("a problem may pass for its reason, for its code where the reason is unknown, and where it asks for a delay", () => {
  const passing = [
    problem(400, "InternalError"),
    problem(0, "Timeout"),
    problem(400, "TooManyRequests"),
    problem(429, "NotFound"),
    problem(500, ""),
    problem(504, "Odd"),
    problem(400, "ServerTimeout", {}),
    problem(400, "BadRequest", { retryAfterSeconds: 1 }),
  ];
  const lasting = [
    problem(500, "NotFound"),
    problem(504, "Forbidden"),
    problem(503, "ServiceUnavailable"),
    problem(502, "Odd"),
    problem(400, ""),
    problem(500, "ServerTimeout"),
    problem(400, "BadRequest", { retryAfterSeconds: -1 }),
  ];
  assert.deepEqual(passing.map(isPassing), Array(passing.length).fill(true));
  assert.deepEqual(lasting.map(isPassing), Array(lasting.length).fill(false));
});

test("a problem is a refusal for its reason, or for its code where the reason is unknown", () => {
  const problems = [problem(500, "Forbidden"), problem(403, "Odd"), problem(403, ""), problem(403, "NotFound")];
  assert.deepEqual(problems.map(isForbidden), [true, true, true, false]);
});
