import assert from "node:assert/strict";
import { test } from "node:test";
import { keyPrefix, openTestControlPlane } from "../control-plane.test.support.js";
import { storePeerEndpoints } from "./peer-endpoints.js";

const address = { host: "192.0.2.7", port: 6443 };

test("the address of a server is told in the place and shape of v1.29, and each renewal changes it", async () => {
  await using plane = await openTestControlPlane();
  const endpoints = storePeerEndpoints(plane.store, keyPrefix);
  await endpoints.renew("apiserver-a", address);
  await endpoints.renew("apiserver-a", address);
  const { kv } = await plane.store.get("/registry/peerserverleases/apiserver-a");
  assert.deepEqual(JSON.parse(kv?.value.toString() ?? ""), {
    kind: "Endpoints",
    apiVersion: "v1",
    metadata: { generation: 2, labels: { apiserverIdentity: "apiserver-a" } },
    subsets: [{ addresses: [{ ip: "192.0.2.7" }], ports: [{ name: "https", port: 6443, protocol: "TCP" }] }],
  });
  assert.deepEqual(await endpoints.find("apiserver-a"), address);
});

test("there is no address of a server that tells none, has gone, or tells half of one", async () => {
  await using plane = await openTestControlPlane();
  const endpoints = storePeerEndpoints(plane.store, keyPrefix);
  assert.equal(await endpoints.find("apiserver-a"), undefined);
  await endpoints.renew("apiserver-a", address);
  await endpoints.release("apiserver-a");
  await endpoints.release("apiserver-a");
  assert.equal(await endpoints.find("apiserver-a"), undefined);
  const half = { kind: "Endpoints", apiVersion: "v1", metadata: {}, subsets: [{ addresses: [{ ip: "192.0.2.7" }] }] };
  await plane.store.put("/registry/peerserverleases/apiserver-b", Buffer.from(JSON.stringify(half)), {
    expectedRevision: 0,
  });
  assert.equal(await endpoints.find("apiserver-b"), undefined);
});
