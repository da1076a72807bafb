import assert from "node:assert/strict";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { eventually } from "@gatehouse/testing/eventually";
import { ipAddresses } from "../../ip-addresses/ip-address-object.js";
import { serviceCidrs } from "../../ip-addresses/service-cidrs.js";
import { serviceCidrProtection } from "./service-cidr-protection.js";
import { type AddressPlane, openAddressPlane } from "./service-cidrs.test.support.js";

const finalizer = "networking.k8s.io/service-cidr-finalizer";
const ready = { type: "Ready", status: "True", reason: "", message: "Kubernetes Service CIDR is ready" };
const terminating = {
  type: "Ready",
  status: "False",
  reason: "Terminating",
  message: "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR",
};

/** A clock that is ahead of the machine's by as much as the test says. */
class AheadClock {
  #aheadMs = 0;
  readonly #listeners: (() => void)[] = [];
  readonly now = (): number => Date.now() + this.#aheadMs;
  readonly onAdvance = (listener: () => void): void => void this.#listeners.push(listener);

  advance(ms: number): void {
    this.#aheadMs += ms;
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

function start(plane: AddressPlane): AheadClock {
  const clock = new AheadClock();
  const onError = (error: unknown): void => void plane.errors.push(error);
  plane.start(serviceCidrProtection({ client: plane.client, now: clock.now, clock, onError }));
  return clock;
}

async function untilReady(plane: AddressPlane, name: string): Promise<void> {
  await eventually(async () => {
    assert.deepEqual(await plane.ready(name), ready);
    assert.deepEqual(metaOf((await plane.cidr(name)) ?? {}).finalizers, [finalizer]);
  });
}

test("a ServiceCIDR gets its finalizer and is ready, whether it was there before or comes", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("before", "10.0.0.0/28");
  start(plane);
  await untilReady(plane, "before");
  await plane.makeCidr("after", "10.1.0.0/28");
  await untilReady(plane, "after");
  assert.deepEqual(plane.errors, []);
});

test("a ServiceCIDR with addresses of Services stays until they are gone, and for ten seconds in any case", async () => {
  await using plane = await openAddressPlane();
  const clock = start(plane);
  await plane.makeCidr("c", "10.0.0.0/28");
  await untilReady(plane, "c");
  await plane.makeIpAddress("10.0.0.3", "a");
  await plane.client.delete(serviceCidrs, "", "c");
  await eventually(async () => assert.deepEqual(await plane.ready("c"), terminating));
  clock.advance(3_600_000);
  await plane.makeIpAddress("10.0.0.4", "b");
  await plane.client.delete(ipAddresses, "", "10.0.0.3");
  await plane.client.catchUp();
  assert.deepEqual(await plane.ready("c"), terminating);
  await plane.client.delete(ipAddresses, "", "10.0.0.4");
  await eventually(async () => assert.equal(await plane.cidr("c"), undefined));
});

test("an unused ServiceCIDR goes after ten seconds, in which servers learn of its deletion", async () => {
  await using plane = await openAddressPlane();
  const clock = start(plane);
  await plane.makeCidr("c", "10.0.0.0/28");
  await plane.makeCidr("other", "10.1.0.0/28");
  await untilReady(plane, "c");
  await plane.makeIpAddress("10.1.0.3", "a");
  await plane.client.delete(serviceCidrs, "", "c");
  await plane.client.catchUp();
  assert.notEqual(await plane.cidr("c"), undefined);
  clock.advance(10_000);
  await eventually(async () => {
    clock.advance(1);
    assert.equal(await plane.cidr("c"), undefined);
  });
});

test("a ServiceCIDR goes in spite of addresses that another one has, too", async () => {
  await using plane = await openAddressPlane();
  const clock = start(plane);
  await plane.makeCidr("outer", "10.0.0.0/24");
  await plane.makeCidr("inner", "10.0.0.0/28");
  await untilReady(plane, "inner");
  await plane.makeIpAddress("10.0.0.3", "a");
  await plane.client.delete(serviceCidrs, "", "inner");
  await eventually(async () => {
    clock.advance(10_000);
    assert.equal(await plane.cidr("inner"), undefined);
  });
});

test("a new ServiceCIDR lets another one go whose addresses it has", async () => {
  await using plane = await openAddressPlane();
  const clock = start(plane);
  await plane.makeCidr("c", "10.0.0.0/28", "fd00::/112");
  await untilReady(plane, "c");
  await plane.makeIpAddress("fd00::3", "a");
  await plane.client.delete(serviceCidrs, "", "c");
  await eventually(async () => assert.deepEqual(await plane.ready("c"), terminating));
  await plane.makeCidr("new", "10.0.0.0/24", "fd00::/100");
  await eventually(async () => {
    clock.advance(10_000);
    assert.equal(await plane.cidr("c"), undefined);
  });
});

test("addresses that other programs keep hold no ServiceCIDR", async () => {
  await using plane = await openAddressPlane();
  const clock = start(plane);
  await plane.makeCidr("c", "10.0.0.0/28");
  await untilReady(plane, "c");
  await plane.makeIpAddress("10.0.0.3", "a", (object) => {
    metaOf(object).labels = {};
  });
  await plane.client.delete(serviceCidrs, "", "c");
  await eventually(async () => {
    clock.advance(10_000);
    assert.equal(await plane.cidr("c"), undefined);
  });
});
