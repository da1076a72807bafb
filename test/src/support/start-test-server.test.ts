import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { startTestServer } from "./start-test-server.js";

const asked = { signal: new AbortController().signal, timeoutMs: 30_000 };

test("a test server serves its administrator, refuses strangers, and keeps its data and port over kill and restart", async () => {
  let folder: string;
  {
    await using server = await startTestServer();
    folder = server.folder;
    const created = await server.client.requestJson({
      ...asked,
      method: "POST",
      path: "/api/v1/namespaces",
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "kept" } },
    });
    assert.equal(created.status, 201);

    using stranger = createHttpClient({ config: server.anonymousConfig });
    assert.equal((await stranger.request({ ...asked, path: "/api/v1/namespaces" })).status, 401);

    assert.equal(await server.kill("SIGKILL"), null);
    await server.restart();
    const found = await server.client.requestJson({ ...asked, path: "/api/v1/namespaces/kept" });
    assert.equal(found.status, 200);
    assert.equal(await server.kill("SIGTERM"), 0);
    assert.match(server.logs.text(), /serving/);
  }
  assert.equal(existsSync(folder), false);
});
