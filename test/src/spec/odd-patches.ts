import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const mergePatch = "application/merge-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";

/** Patches that once made the server fail; each is the client's mistake. */
const oddPatches: readonly (readonly [what: string, mediaType: string, patch: string, code: number])[] = [
  ["an integer beyond 2^53 where a string belongs", mergePatch, '{"data":{"k":12345678901234567890}}', 422],
  ["apiVersion as a list that holds an object", mergePatch, '{"apiVersion":["x",{"toString":{}}]}', 400],
  ["an unknown directive", strategicMergePatch, '{"$patch":"bad"}', 400],
  ["an order that is no list", strategicMergePatch, '{"$setElementOrder/containers":"x"}', 400],
];

describe("Odd patches", { concurrency: 16 }, () => {
  for (const [what, mediaType, patch, code] of oddPatches) {
    it(`Errors, ${code}: a patch with ${what}`, async () => {
      const client = await serverWith();
      const namespace = await freshNamespace(client);
      const before = await createConfigMap(client, namespace, "a");
      const answer = await client.patch(configMapsPath(namespace, "a"), mediaType, patch);
      assertCode(answer, code);
      assert.equal(answer.document.reason, code === 422 ? "Invalid" : "BadRequest");
      assert.deepEqual((await client.get(configMapsPath(namespace, "a"))).document, before);
    });
  }

  for (const mediaType of [mergePatch, strategicMergePatch]) {
    it(`Errors, 400 Bad Request: a ${mediaType} that is nested deeper than can be worked with`, async () => {
      const client = await serverWith();
      const namespace = await freshNamespace(client);
      await createConfigMap(client, namespace, "a");
      const deep = `${'{"a":'.repeat(9990)}1${"}".repeat(9990)}`;
      const answer = await client.patch(
        configMapsPath(namespace, "a"),
        mediaType,
        `{"metadata":{"annotations":${deep}}}`,
      );
      const message = "error decoding patch: invalid character '{' exceeded max depth";
      assertStatus(answer, { code: 400, reason: "BadRequest", message });
    });
  }
});
