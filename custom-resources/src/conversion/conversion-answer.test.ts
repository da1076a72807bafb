import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readConversionAnswer } from "./conversion-answer.js";

const response = { uid: "u", result: { status: "Success" }, convertedObjects: [{}] };

function read(version: "v1" | "v1beta1", answer: unknown, status = 200, headers = {}) {
  const body = Buffer.from(answer === undefined ? "" : JSON.stringify(answer));
  return readConversionAnswer({ status, headers, body }, version, "u");
}

describe("The answer to a ConversionReview", () => {
  it("says in v1 what it is and whom it answers, in v1beta1 neither", async () => {
    for (const answer of [{ response }, { kind: "ConversionReview", response: { ...response, uid: "other" } }]) {
      assert.deepEqual(await read("v1beta1", answer), [{}]);
    }
    await assert.rejects(read("v1beta1", {}), { message: "no response provided" });
    await assert.rejects(read("v1", { kind: "ConversionReview", response }), {
      message:
        "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=ConversionReview",
    });
  });

  it("is refused with the type of its version", async () => {
    for (const version of ["v1", "v1beta1"] as const) {
      const answer = { apiVersion: `apiextensions.k8s.io/${version}`, kind: "ConversionReview", response: "x" };
      await assert.rejects(read(version, answer), {
        message: `json: cannot unmarshal string into Go struct field ConversionReview.response of type ${version}.ConversionResponse`,
      });
    }
  });

  it("has a body", async () => {
    await assert.rejects(read("v1", undefined, 204), {
      message: "0-length response with status code: 204 and content type: application/json",
    });
  });
});
