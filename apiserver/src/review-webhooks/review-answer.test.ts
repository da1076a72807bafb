import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import { readReviewAnswer } from "./review-answer.js";

const review = { group: "admission.k8s.io", version: "v1", kind: "AdmissionReview" };

function contextOf(yieldToOthers: StepContext["yield"]): StepContext {
  return { signal: new AbortController().signal, yield: yieldToOthers };
}

describe("The answer of a webhook", () => {
  it("is parsed in steps, between which other work runs", async () => {
    let yields = 0;
    const context = contextOf(async () => {
      await Promise.resolve();
      yields++;
    });
    const { value } = await readReviewAnswer(Buffer.from('{"a":[1,2]}'), review, context);
    assert.deepEqual(value, { a: [1, 2] });
    assert.ok(yields > 1, `${yields} yields`);
  });

  it("is not read any further when nobody waits for it", async () => {
    const gone = new Error("the client has gone away");
    const context = contextOf(() => Promise.reject(gone));
    await assert.rejects(readReviewAnswer(Buffer.from("{}"), review, context), gone);
  });

  it("has no more values than a body may have", async () => {
    const body = Buffer.from(`{"x":[${"0,".repeat(100_000)}0]}`);
    const context = contextOf(() => undefined);
    await assert.rejects(readReviewAnswer(body, review, context), {
      message: "couldn't get version/kind; json parse error: json: more than 100000 values in one document",
    });
    await assert.rejects(readReviewAnswer(Buffer.from("{"), review, context), {
      message: /^couldn't get version\/kind; json parse error: /,
    });
  });

  it("names its version and kind in any letters: the last that is not null counts", async () => {
    const context = contextOf(() => undefined);
    const read = (text: string) => readReviewAnswer(Buffer.from(text), review, context);
    const stated = { apiVersion: "admission.k8s.io/v1", APIVERSION: "admission.k8s.io/v7" };
    await assert.rejects(read(JSON.stringify(stated)), {
      message:
        'no kind "AdmissionReview" is registered for version "admission.k8s.io/v7" in scheme "pkg/runtime/scheme.go:100"',
    });
    const { apiVersion, APIVERSION } = stated;
    for (const other of [
      { APIVERSION, apiVersion },
      { ApiVersion: apiVersion, APIVERSION: null },
      { "\u212aind": null },
    ]) {
      assert.deepEqual((await read(JSON.stringify(other))).value, other);
    }
    await assert.rejects(read('{"KIND":5}'), {
      message:
        "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    });
  });
});
