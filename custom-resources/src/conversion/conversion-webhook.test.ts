import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpCaller } from "@gatehouse/component-base/http-client";
import { conversionWebhook } from "./conversion-webhook.js";

test("a review has a response that is empty, as from v1.29", async () => {
  const bodies: string[] = [];
  const client = {
    request: async ({ body }: { body: string }) => {
      bodies.push(body);
      const { apiVersion, kind, request } = JSON.parse(body);
      const convertedObjects = [{ apiVersion: "g/v2", kind: "K", metadata: { name: "a" } }];
      const response = { uid: request.uid, result: { status: "Success" }, convertedObjects };
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ apiVersion, kind, response })) };
    },
  } as unknown as HttpCaller;
  const target = () => ({ client, url: "https://hook.example.com/" });
  const convert = conversionWebhook({ target, reviewVersions: ["v1"], crd: "ks.g" });
  await convert([{ apiVersion: "g/v1", kind: "K", metadata: { name: "a" } }], "g/v2", undefined);
  const { request, ...rest } = JSON.parse(bodies[0] ?? "");
  assert.deepEqual(rest, {
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    response: { uid: "", convertedObjects: null, result: { metadata: {} } },
  });
  assert.deepEqual(Object.keys(request), ["uid", "desiredAPIVersion", "objects"]);
});
