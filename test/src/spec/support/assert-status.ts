import assert from "node:assert/strict";
import type { Answer } from "./api-client.js";

export interface ExpectedStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: object;
  /** Written for people, as v1.29 does where nothing that the client accepts can be had. */
  readonly indented?: true;
}

/** The answer is this Status, to the byte. */
export function assertStatus(answer: Answer, expected: ExpectedStatus): void {
  const { code, reason, message, details } = expected;
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  };
  assert.equal(answer.text, expected.indented === true ? JSON.stringify(status, null, 2) : `${goJson(status)}\n`);
  assert.equal(answer.status, code);
  assert.equal(answer.headers["content-type"], "application/json");
}

/** JSON as Go writes it. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The answer has this status; its body is shown where it has not. */
export function assertCode(answer: Answer, code: number): void {
  assert.equal(answer.status, code, answer.text.slice(0, 2000));
}
