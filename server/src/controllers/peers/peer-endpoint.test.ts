import assert from "node:assert/strict";
import { test } from "node:test";
import { serverId } from "@gatehouse/apiserver/server";
import { eventually } from "@gatehouse/testing/eventually";
import { keyPrefix, openTestControlPlane } from "../../control-plane.test.support.js";
import { storePeerEndpoints } from "../../peers/peer-endpoints.js";
import { peerEndpoint } from "./peer-endpoint.js";

const address = { host: "192.0.2.7", port: 6443 };

test("a server tells where it is from when it is ready until it stops", async () => {
  await using plane = await openTestControlPlane();
  const endpoints = storePeerEndpoints(plane.store, keyPrefix);
  let isReady = false;
  let asked = 0;
  const stopping = new AbortController();
  const controller = peerEndpoint({
    client: plane.client,
    onError: (error) => plane.errors.push(error),
    endpoints,
    address,
    isReady() {
      asked++;
      return isReady;
    },
  });
  const running = controller.run(stopping.signal);
  await eventually(async () => assert.ok(asked > 1));
  assert.equal(await endpoints.find(serverId()), undefined);
  isReady = true;
  await eventually(async () => assert.deepEqual(await endpoints.find(serverId()), address));
  stopping.abort();
  await running;
  assert.equal(await endpoints.find(serverId()), undefined);
  assert.deepEqual(plane.errors, []);
});

test("a server that stops before it is ready leaves nothing behind", async () => {
  await using plane = await openTestControlPlane();
  const endpoints = storePeerEndpoints(plane.store, keyPrefix);
  const stopping = new AbortController();
  const options = { client: plane.client, onError: (error: unknown) => plane.errors.push(error), endpoints, address };
  const running = peerEndpoint({ ...options, isReady: () => false }).run(stopping.signal);
  stopping.abort();
  await running;
  assert.equal(await endpoints.find(serverId()), undefined);
  assert.deepEqual(plane.errors, []);
});
