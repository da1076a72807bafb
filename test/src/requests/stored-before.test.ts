import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { createApiClient } from "../spec/support/api-client.js";
import { assertStatus } from "../spec/support/assert-status.js";
import { startTestServer } from "../support/start-test-server.js";

describe("Objects that were stored before they were validated", () => {
  it("a scale of a Deployment whose selector is broken is refused, and the Deployment itself is shown", async () => {
    await using server = await startTestServer();
    await server.kill("SIGTERM");
    {
      await using store = await openLmdbStore({ directory: server.dataDirectory });
      const metadata = { name: "broken", namespace: "default", uid: "0", creationTimestamp: "2024-01-01T00:00:00Z" };
      const selector = { matchExpressions: [{ key: "a", operator: "Near", values: ["b"] }] };
      const deployment = { kind: "Deployment", apiVersion: "apps/v1", metadata, spec: { selector }, status: {} };
      const value = Buffer.from(JSON.stringify(deployment));
      await store.put("/registry/deployments/default/broken", value, { expectedRevision: 0 });
    }
    await server.restart();
    using client = createApiClient(server.clientConfig);
    const path = "/apis/apps/v1/namespaces/default/deployments/broken";
    assert.deepEqual((await client.get(path)).document.metadata.name, "broken");
    assertStatus(await client.get(`${path}/scale`), {
      code: 400,
      reason: "BadRequest",
      message: '"Near" is not a valid label selector operator',
    });
  });
});
