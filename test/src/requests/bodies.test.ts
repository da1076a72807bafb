import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertStatus } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

describe("Bodies", () => {
  it("that are much too large are refused with an answer that arrives, and the connection goes on", async () => {
    const client = await serverWith();
    const headers = { "content-type": "application/json" };
    for (let round = 0; round < 3; round++) {
      const body = Buffer.alloc(40_000_000, " ");
      assertStatus(await client.request("POST", configMapsPath("default"), { body, headers }), {
        code: 413,
        reason: "RequestEntityTooLarge",
        message: "Request entity too large: limit is 3145728",
      });
    }
    assert.equal((await client.get("/livez")).status, 200);
  });

  it("that arrive in several pieces are read on connections that are used again", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "large");
    for (let round = 0; round < 40; round++) {
      const data = { text: "x".repeat(16_000 + round * 300) };
      const object = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "large" }, data };
      const answer = await client.put(configMapsPath(namespace, "large"), object);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.document["data"], data);
    }
  });

  it("whose times have an offset that leads out of the years 0 to 9999 are refused", async () => {
    const client = await serverWith();
    for (const time of ["9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01"]) {
      const event = { kind: "Event", apiVersion: "v1", metadata: { name: "e" }, firstTimestamp: time };
      assertStatus(await client.post("/api/v1/namespaces/default/events", event), {
        code: 400,
        reason: "BadRequest",
        message: `Event in version "v1" cannot be handled as a Event: parsing time "${time}": year out of range`,
      });
    }
  });

  it("that come with a GET do no harm", async () => {
    const client = await serverWith();
    const smuggled = "GET /api/v1/namespaces/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.request("GET", "/api/v1/namespaces/default", { body: smuggled })),
    );
    for (const answer of answers) {
      assert.equal(answer.document.metadata.name, "default");
    }
  });
});
