import assert from "node:assert/strict";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { ownObject, valueAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { serviceCidrs } from "../../ip-addresses/service-cidrs.js";
import { defaultServiceCidr } from "./default-service-cidr.js";
import { type AddressPlane, openAddressPlane } from "./service-cidrs.test.support.js";

const ready = { type: "Ready", status: "True", reason: "", message: "Kubernetes default Service CIDR is ready" };

function start(plane: AddressPlane, cidrs: readonly string[]): { done: number } {
  const seen = { done: 0 };
  const onError = (error: unknown): void => void plane.errors.push(error);
  plane.start(defaultServiceCidr({ client: plane.client, cidrs, now: Date.now, onError, onDone: () => seen.done++ }));
  return seen;
}

test("the ranges of the server are made a ServiceCIDR, which is ready", async () => {
  await using plane = await openAddressPlane();
  const seen = start(plane, ["10.0.0.0/28", "fd00::/112"]);
  await eventually(() => assert.equal(seen.done, 1));
  assert.deepEqual(valueAt(await plane.cidr("kubernetes"), "spec"), { cidrs: ["10.0.0.0/28", "fd00::/112"] });
  assert.deepEqual(await plane.ready("kubernetes"), ready);
  assert.deepEqual(plane.errors, []);
});

test("a ServiceCIDR with other ranges stays as it is", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.9.0.0/28");
  const seen = start(plane, ["10.0.0.0/28"]);
  await eventually(() => assert.equal(seen.done, 1));
  assert.deepEqual(valueAt(await plane.cidr("kubernetes"), "spec"), { cidrs: ["10.9.0.0/28"] });
  assert.deepEqual(await plane.ready("kubernetes"), {});
});

test("a condition that is there stays, and so does a ServiceCIDR that is being deleted", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  await plane.client.update(serviceCidrs, { namespace: "", name: "kubernetes" }, (cidr) => {
    metaOf(cidr).finalizers = ["a.example/stay"];
    return cidr;
  });
  await plane.client.delete(serviceCidrs, "", "kubernetes");
  const seen = start(plane, ["10.0.0.0/28"]);
  await eventually(() => assert.equal(seen.done, 1));
  assert.deepEqual(await plane.ready("kubernetes"), {});
});

test("a condition that another program has written stays", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  const other = { type: "Ready", status: "False", reason: "Checked", message: "not now" };
  await plane.client.update(serviceCidrs, { namespace: "", name: "kubernetes", subresource: "status" }, (cidr) => {
    ownObject(cidr, "status")["conditions"] = [{ ...other, lastTransitionTime: "2024-01-01T00:00:00Z" }];
    return cidr;
  });
  const seen = start(plane, ["10.0.0.0/28"]);
  await eventually(() => assert.equal(seen.done, 1));
  assert.deepEqual(await plane.ready("kubernetes"), other);
});
