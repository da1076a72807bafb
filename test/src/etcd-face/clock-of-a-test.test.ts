import assert from "node:assert/strict";
import { it } from "node:test";
import { startControlPlane } from "@gatehouse/testing";
import { freePort } from "../support/free-port.js";
import { until } from "../support/until.js";
import { FaceClient } from "./face-under-test.js";

it("ends the leases of a control plane in a test when the test sets its clock ahead", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  await using cluster = await startControlPlane({
    authorization: ["AlwaysAllow"],
    flags: [`--listen-etcd-urls=${url}`],
  });
  using client = await FaceClient.open(url);
  const { LeaseGrant, LeaseTimeToLive } = client.api.lease;
  const hour = await client.call(LeaseGrant, { ttlSeconds: 3600 });
  const day = await client.call(LeaseGrant, { ttlSeconds: 24 * 3600 });
  await client.put("leased/hour", "1", hour.id);
  await client.put("leased/day", "2", day.id);
  cluster.clock.advance(2 * 3600 * 1000);
  await until("the lease has ended", async () => (await client.get("leased/hour")) === undefined);
  assert.equal((await client.call(LeaseTimeToLive, { id: hour.id })).ttlSeconds, -1);
  assert.equal(String((await client.get("leased/day"))?.value), "2");
  const left = Number((await client.call(LeaseTimeToLive, { id: day.id })).ttlSeconds);
  assert.ok(left <= 22 * 3600, `${left} seconds are left of the other lease`);
});
