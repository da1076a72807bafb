import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectClient } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, ownObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { serviceCidrs } from "../../ip-addresses/service-cidrs.js";
import { events } from "../core-resources.js";
import { defaultServiceCidr } from "./default-service-cidr.js";
import { type AddressPlane, openAddressPlane, withMethods } from "./service-cidrs.test.support.js";

const ready = { type: "Ready", status: "True", reason: "", message: "Kubernetes default Service CIDR is ready" };

function start(plane: AddressPlane, cidrs: readonly string[], client = plane.client): { done: number } {
  const seen = { done: 0 };
  const onError = (error: unknown): void => void plane.errors.push(error);
  plane.start(defaultServiceCidr({ client, cidrs, now: Date.now, onError, onDone: () => seen.done++ }));
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

test("a condition that another program has written stays, and is reported while it is not true", async () => {
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
  await untilEvents(plane, [["Checked", "not now"]]);
});

test("an error is reported about the ServiceCIDR, and tried again", async () => {
  await using plane = await openAddressPlane();
  const refuse = (): Promise<never> => Promise.reject(new Error("out of order"));
  const client: ObjectClient = withMethods(plane.client, {
    create: (resource, object) => (resource === serviceCidrs ? refuse() : plane.client.create(resource, object)),
  });
  start(plane, ["10.0.0.0/28"], client);
  await untilEvents(plane, [["KubernetesDefaultServiceCIDRError", "The default ServiceCIDR can not be created"]]);
  assert.match(String(plane.errors[0]), /out of order/);
  plane.errors.length = 0;
});

test("an error about its condition is reported as well", async () => {
  await using plane = await openAddressPlane();
  const client = withMethods(plane.client, { apply: () => Promise.reject(new Error("out of order")) });
  start(plane, ["10.0.0.0/28"], client);
  const message = "The default ServiceCIDR Status can not be set to Ready=True";
  await untilEvents(plane, [["KubernetesDefaultServiceCIDRError", message]]);
  assert.match(String(plane.errors[0]), /out of order/);
  plane.errors.length = 0;
});

async function untilEvents(plane: AddressPlane, expected: readonly (readonly [string, string])[]): Promise<void> {
  await eventually(async () => {
    const found = (await plane.client.list(events, "default")).map(({ entry }) => entry.object());
    assert.deepEqual(
      found.map((event) => [textAt(event, "reason"), textAt(event, "message")]),
      expected,
    );
    const [{ involvedObject, source, type } = {}] = found;
    const { kind, apiVersion, name } = involvedObject as JsonObject;
    assert.deepEqual([kind, apiVersion, name], ["ServiceCIDR", "networking.k8s.io/v1alpha1", "kubernetes"]);
    assert.deepEqual([source, type], [{ component: "kubernetes-service-cidr-controller" }, "Warning"]);
  });
}
