import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { changeConfigMap, configMapsPath, createConfigMap, freshNamespace, versionOf } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

describe("Resource version semantics, Get", { concurrency: 16 }, () => {
  it("Resource version semantics, Get, unset: the most recent state, after every write that was acknowledged", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    for (let round = 0; round < 20; round++) {
      const written = await changeConfigMap(client, namespace, "a", { round: String(round) });
      const answer = await client.get(configMapsPath(namespace, "a"));
      assertCode(answer, 200);
      assert.deepEqual(answer.document, written);
    }
  });

  it("Resource version semantics, Get, 0: any state", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const written = await createConfigMap(client, namespace, "a", { data: { k: "v" } });
    // Any version will do, but once it has been seen the object is there.
    assertCode(await client.get(configMapsPath(namespace, "a")), 200);
    const answer = await client.get(configMapsPath(namespace, "a", "resourceVersion=0"));
    assertCode(answer, 200);
    assert.equal(answer.document.metadata.uid, written.metadata.uid);
    assert.match(versionOf(answer.document), /^\d+$/);
  });

  it("Resource version semantics, Get, other value: not older than it, so a newer state answers an old version", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const first = await createConfigMap(client, namespace, "a");
    const second = await changeConfigMap(client, namespace, "a", { k: "v" });
    const query = `resourceVersion=${versionOf(second)}`;
    assert.deepEqual((await client.get(configMapsPath(namespace, "a", query))).document, second);
    const old = await client.get(configMapsPath(namespace, "a", `resourceVersion=${versionOf(first)}`));
    assert.deepEqual(old.document, second);
  });

  it("Resource version semantics, Get, other value: waits for a version that is about to come", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const first = await createConfigMap(client, namespace, "a");
    const next = Number(versionOf((await client.get("/api/v1/configmaps?limit=1")).document)) + 1;
    const waiting = client.get(configMapsPath(namespace, "a", `resourceVersion=${next}`));
    const second = await changeConfigMap(client, namespace, "a", { k: "v" });
    const answer = await waiting;
    assertCode(answer, 200);
    assert.ok([versionOf(first), versionOf(second)].includes(versionOf(answer.document)));
  });

  it("Resource version semantics, Get, other value: 504 for a version that does not come", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const answer = await client.get(configMapsPath(namespace, "a", "resourceVersion=900000000000"));
    const current = /current: (\d+)$/.exec(String(answer.document.message))?.[1];
    assertStatus(answer, {
      code: 504,
      reason: "Timeout",
      message: `Timeout: Too large resource version: 900000000000, current: ${current}`,
      details: {
        causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
        retryAfterSeconds: 1,
      },
    });
    assert.equal(answer.headers["retry-after"], "1");
  });

  it("Resource version semantics, Get: a version that is no number is refused", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    for (const version of ["abc", "-1", "1.5", "0x10"]) {
      const answer = await client.get(configMapsPath(namespace, "a", `resourceVersion=${version}`));
      assertStatus(answer, {
        code: 400,
        reason: "BadRequest",
        message: `resourceVersion: Invalid value: ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`,
      });
    }
  });
});
