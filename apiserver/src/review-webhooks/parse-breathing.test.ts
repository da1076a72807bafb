import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { parseBreathing } from "./parse-breathing.js";
import { readReviewAnswer } from "./review-answer.js";

describe("The answer of a webhook", () => {
  it("is parsed with turns for others between the steps", async () => {
    const turns: string[] = [];
    const parsed = parseBreathing('{"a":[1,2]}', async () => {
      await Promise.resolve();
      turns.push("turn");
    });
    turns.push("called");
    assert.deepEqual((await parsed).value, { a: [1, 2] });
    assert.deepEqual(turns, ["called", "turn", "turn"]);
  });

  it("is not read any further when nobody waits for it", async () => {
    const gone = new Error("the client has gone away");
    await assert.rejects(
      parseBreathing("{}", () => Promise.reject(gone)),
      gone,
    );
  });

  it("has no more values than a body may have", async () => {
    const review = { group: "admission.k8s.io", version: "v1", kind: "AdmissionReview" };
    const body = Buffer.from(`{"x":[${"0,".repeat(100_000)}0]}`);
    await assert.rejects(
      readReviewAnswer(body, review, () => undefined),
      { message: "couldn't get version/kind; json parse error: json: more than 100000 values in one document" },
    );
    await assert.rejects(
      parseBreathing("{", () => undefined),
      DecodeError,
    );
  });
});
