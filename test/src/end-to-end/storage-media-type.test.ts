import assert from "node:assert/strict";
import { test } from "node:test";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { unwrapEnvelope } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { send } from "../support/sample-definition.js";
import { startTestServer } from "../support/start-test-server.js";

const configMaps = "/api/v1/namespaces/default/configmaps";

async function storedConfigMap(dataDirectory: string): Promise<Buffer> {
  await using store = await openLmdbStore({ directory: dataDirectory });
  const { kv } = await store.get("/registry/configmaps/default/a");
  assert.ok(kv !== undefined);
  return kv.value;
}

test("the embedded store holds the media type that is asked for, and reads every other", async () => {
  await using server = await startTestServer();
  const labelled: JsonObject = { metadata: { name: "a", labels: { x: "y" } }, data: { key: "<ü>" } };
  assert.equal((await send(server, "POST", configMaps, labelled)).status, 201);
  const first = await send(server, "GET", `${configMaps}/a`);
  await server.kill("SIGTERM");
  assert.match(String(await storedConfigMap(server.dataDirectory)), /^\{"kind":"ConfigMap",.*\}$/);

  await server.restart({ flags: ["--storage-media-type=application/vnd.kubernetes.protobuf"] });
  assert.equal((await send(server, "GET", `${configMaps}/a`)).text, first.text);
  const rewritten = await send(server, "PUT", `${configMaps}/a`, first.body);
  assert.equal(rewritten.status, 200);
  await server.kill("SIGTERM");
  assert.equal(unwrapEnvelope(await storedConfigMap(server.dataDirectory)).kind, "ConfigMap");

  await server.restart({ flags: ["--storage-media-type=application/yaml"] });
  assert.equal((await send(server, "GET", `${configMaps}/a`)).text, rewritten.text);
  assert.equal((await send(server, "PUT", `${configMaps}/a`, rewritten.body)).status, 200);
  await server.kill("SIGTERM");
  assert.match(String(await storedConfigMap(server.dataDirectory)), /^apiVersion: v1\ndata:\n/);
});
