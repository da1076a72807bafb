import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpCaller } from "@gatehouse/component-base/http-client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { conversionWebhook } from "./conversion-webhook.js";

/** Returns a converter whose webhook answers with these objects, and the reviews that it has received. */
function webhookAnswering(convertedObjects: readonly JsonObject[]) {
  const bodies: string[] = [];
  const client = {
    request: async ({ body }: { body: string }) => {
      bodies.push(body);
      const { apiVersion, kind, request } = JSON.parse(body);
      const response = { uid: request.uid, result: { status: "Success" }, convertedObjects };
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ apiVersion, kind, response })) };
    },
  } as unknown as HttpCaller;
  const target = () => ({ client, url: "https://hook.example.com/" });
  return { convert: conversionWebhook({ target, reviewVersions: ["v1"], crd: "ks.g" }), bodies };
}

test("a review has a response that is empty, as from v1.29", async () => {
  const { convert, bodies } = webhookAnswering([{ apiVersion: "g/v2", kind: "K", metadata: { name: "a" } }]);
  await convert([{ apiVersion: "g/v1", kind: "K", metadata: { name: "a" } }], "g/v2", undefined);
  const { request, ...rest } = JSON.parse(bodies[0] ?? "");
  assert.deepEqual(rest, {
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    response: { uid: "", convertedObjects: null, result: { metadata: {} } },
  });
  assert.deepEqual(Object.keys(request), ["uid", "desiredAPIVersion", "objects"]);
});

test("an object whose version is none has no kind", async () => {
  const { convert } = webhookAnswering([{ apiVersion: "a/b/c", kind: "K", metadata: { name: "a" } }]);
  await assert.rejects(convert([{ apiVersion: "g/v1", kind: "K", metadata: { name: "a" } }], "g/v2", undefined), {
    message: `Object 'Kind' is missing in '{"apiVersion":"a/b/c","kind":"K","metadata":{"name":"a"}}'`,
  });
});
