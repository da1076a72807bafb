import assert from "node:assert/strict";
import { test } from "node:test";
import { anyCaller } from "@gatehouse/component-base/https-service";
import type { JsonObject } from "@gatehouse/envelopes/json";
import express from "express";
import request from "supertest";
import { reviewMiddleware } from "../server/review-middleware.js";
import { conversionEndpoints } from "./conversion-endpoints.js";
import { type Converter, converter, NotConvertibleError } from "./converter.js";

interface V1 {
  metadata: { labels?: Record<string, string> };
  spec: { size: number };
}

interface V2 {
  metadata: { labels?: Record<string, string> };
  spec: { size: { value: number; unit: string } };
}

const names = { resource: "widgets", group: "example.com", kind: "Widget" };
const up = converter<V1, V2>({
  ...names,
  from: "v1",
  to: "v2",
  convert: ({ metadata, spec }) => ({
    metadata: { ...metadata, labels: { ...metadata.labels, converted: "yes" } },
    spec: { size: { value: spec.size, unit: "cm" } },
  }),
});
const down = converter<V2, V1>({
  ...names,
  from: "v2",
  to: "v1",
  convert(widget) {
    if (widget.spec.size.unit !== "cm") {
      throw new NotConvertibleError(`v1 knows no ${widget.spec.size.unit}`);
    }
    return { metadata: widget.metadata, spec: { size: widget.spec.size.value } };
  },
});
const further = converter<V2, JsonObject>({
  ...names,
  from: "v2",
  to: "v3",
  convert: ({ spec }) => ({ spec: { cm: spec.size.value } }),
});

async function convert(converters: readonly Converter[], desiredAPIVersion: string, ...objects: JsonObject[]) {
  const app = express();
  app.use(reviewMiddleware({ endpoints: conversionEndpoints(converters), callers: anyCaller }));
  return await request(app)
    .post("/convert/widgets.example.com")
    .send({
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      request: { uid: "u", desiredAPIVersion, objects },
      // As kube-apiserver sends it with each request.
      response: { uid: "", convertedObjects: null, result: { metadata: {} } },
    });
}

const widget = (version: string, spec: JsonObject): JsonObject => ({
  apiVersion: `example.com/${version}`,
  kind: "Widget",
  metadata: { name: "w", uid: "1" },
  spec,
});

test("objects are converted, whatever their versions, and metadata is kept but for labels and annotations", async () => {
  const response = await convert([up, down], "example.com/v2", widget("v1", { size: 3 }), widget("v2", { size: 4 }));
  assert.equal(response.status, 200);
  assert.deepEqual(response.body, {
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    response: {
      uid: "u",
      convertedObjects: [
        {
          apiVersion: "example.com/v2",
          kind: "Widget",
          metadata: { name: "w", uid: "1", labels: { converted: "yes" } },
          spec: { size: { value: 3, unit: "cm" } },
        },
        widget("v2", { size: 4 }),
      ],
      result: { status: "Success" },
    },
  });
});

test("a version that no converter leads to directly is reached over others", async () => {
  const response = await convert([further, up], "example.com/v3", widget("v1", { size: 3 }));
  assert.deepEqual(response.body.response.convertedObjects, [widget("v3", { cm: 3 })]);
});

test("an object that has no form in the other version is a failure that the client is told", async () => {
  const inches = widget("v2", { size: { value: 1, unit: "inch" } });
  assert.deepEqual((await convert([down], "example.com/v1", inches)).body.response, {
    uid: "u",
    convertedObjects: [],
    result: { status: "Failure", message: "v1 knows no inch" },
  });
  assert.equal(
    (await convert([down], "example.com/v9", inches)).body.response.result.message,
    "no converter leads from example.com/v2 to example.com/v9 of Widget",
  );
});

test("a converter that throws anything else has failed, which is 500", async () => {
  assert.equal((await convert([down], "example.com/v1", widget("v2", {}))).status, 500);
});

test("a review that is none is refused with 400", async () => {
  const app = express();
  app.use(reviewMiddleware({ endpoints: conversionEndpoints([up]), callers: anyCaller }));
  const response = await request(app).post("/convert/widgets.example.com").send({ kind: "ConversionReview" });
  assert.deepEqual([response.status, response.body.message], [400, "ConversionReview: apiVersion: is required"]);
});
