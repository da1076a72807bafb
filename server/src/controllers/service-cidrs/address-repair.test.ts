import assert from "node:assert/strict";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { ownObject, valueAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { ipAddresses } from "../../ip-addresses/ip-address-object.js";
import { services } from "../core-resources.js";
import { type AddressRepairOptions, addressRepair } from "./address-repair.js";
import {
  type AddressPlane,
  namespace,
  openAddressPlane,
  uidOfObject,
  withMethods,
} from "./service-cidrs.test.support.js";

interface Started {
  repaired: number;
  /** Sets the clock ahead. */
  advance(ms: number): void;
}

function start(plane: AddressPlane, options: Partial<AddressRepairOptions> = {}): Started {
  let aheadMs = 0;
  const listeners: (() => void)[] = [];
  const now = (): number => Date.now() + aheadMs;
  const started: Started = {
    repaired: 0,
    advance(ms) {
      aheadMs += ms;
      for (const listener of listeners) {
        listener();
      }
    },
  };
  plane.start(
    addressRepair({
      client: plane.client,
      now,
      clock: { now, onAdvance: (listener) => void listeners.push(listener) },
      whenCidrsExist: Promise.resolve(),
      onRepaired: () => started.repaired++,
      onError: (error) => plane.errors.push(error),
      ...options,
    }),
  );
  return started;
}

async function untilRepaired(started: Started): Promise<void> {
  await eventually(() => assert.ok(started.repaired > 0));
}

test("Services from before there were IPAddresses get theirs, all of them before the first repair is done", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28", "fd00::/112");
  await plane.makeService("a", "10.0.0.2", "fd00::2");
  await plane.makeService("b", "10.0.0.3");
  await plane.makeService("headless", "None");
  await untilRepaired(start(plane));
  const parents = await Promise.all(
    ["10.0.0.2", "fd00::2", "10.0.0.3"].map(async (name) => valueAt(await plane.ipAddress(name), "spec", "parentRef")),
  );
  assert.deepEqual(
    parents,
    ["a", "a", "b"].map((name) => ({ resource: "services", namespace, name })),
  );
  assert.deepEqual(await plane.notes(), [
    "ClusterIPNotAllocated: Cluster IP [IPv4]: 10.0.0.2 is not allocated; repairing",
    "ClusterIPNotAllocated: Cluster IP [IPv4]: 10.0.0.3 is not allocated; repairing",
  ]);
  // The address of the other family is a repetition of the event, as in v1.29.
  assert.equal((await plane.client.list(ipAddresses, "")).length, 3);
  assert.deepEqual(plane.errors, []);
});

test("an IPAddress that is deleted while its Service has the address is made again", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  await plane.makeService("a", "10.0.0.2");
  const before = await plane.makeIpAddress("10.0.0.2", "a");
  await untilRepaired(start(plane));
  await plane.client.delete(ipAddresses, "", "10.0.0.2");
  await eventually(async () => {
    const uid = uidOfObject(await plane.ipAddress("10.0.0.2"));
    assert.ok(uid !== "" && uid !== before);
  });
});

test("the address of a Service that is deleted is not made again", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  await plane.makeService("a", "10.0.0.2");
  await plane.makeIpAddress("10.0.0.2", "a");
  await untilRepaired(start(plane));
  await plane.client.delete(services, namespace, "a");
  await plane.client.delete(ipAddresses, "", "10.0.0.2");
  // A later change has been worked on, so the earlier one has, too.
  await plane.makeService("b", "10.0.0.3");
  await eventually(async () => assert.notEqual(await plane.ipAddress("10.0.0.3"), undefined));
  assert.equal(await plane.ipAddress("10.0.0.2"), undefined);
});

test("an IPAddress that refers to something else than its Service is made again", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  await plane.makeIpAddress("10.0.0.2", "a", (object) => {
    ownObject(object, "spec")["parentRef"] = { group: "a.example", resource: "gateways", namespace, name: "g" };
    metaOf(object).labels = {};
  });
  await plane.makeIpAddress("10.0.0.3", "nobody");
  await plane.makeIpAddress("10.0.0.4", "d", (object) => {
    metaOf(object).labels = { "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io" };
  });
  for (const [name, address] of [
    ["a", "10.0.0.2"],
    ["b", "10.0.0.3"],
    ["d", "10.0.0.4"],
  ] as const) {
    await plane.makeService(name, address);
  }
  await untilRepaired(start(plane));
  for (const [name, address] of [
    ["a", "10.0.0.2"],
    ["b", "10.0.0.3"],
    ["d", "10.0.0.4"],
  ] as const) {
    const object = await plane.ipAddress(address);
    assert.deepEqual(valueAt(object, "spec", "parentRef"), { resource: "services", namespace, name });
    assert.deepEqual(metaOf(object ?? {}).labels, {
      "ipaddress.kubernetes.io/ip-family": "IPv4",
      "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
    });
  }
  assert.deepEqual(await plane.notes(), [
    "ClusterIPNotAllocated: the ClusterIP [IPv4]: 10.0.0.2 for Service ns/a has a wrong reference; repairing",
    "ClusterIPNotAllocated: the ClusterIP [IPv4]: 10.0.0.3 for Service ns/b has a wrong reference; repairing",
  ]);
});

test("an address that two Services have, and one of no range, are reported", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  await plane.makeService("a", "10.0.0.2");
  const uid = await plane.makeIpAddress("10.0.0.2", "a");
  await plane.makeService("b", "10.0.0.2");
  await plane.makeService("c", "10.9.0.2");
  await untilRepaired(start(plane));
  assert.deepEqual(await plane.notes(), [
    "ClusterIPAlreadyAllocated: Cluster IP [IPv4]:10.0.0.2 was assigned to multiple services; please recreate service",
    "ClusterIPOutOfRange: Cluster IP [IPv4]: 10.9.0.2 is not within any configured Service CIDR; please recreate service",
  ]);
  assert.equal(uidOfObject(await plane.ipAddress("10.0.0.2")), uid);
  assert.equal(await plane.ipAddress("10.9.0.2"), undefined);
  // A new range, to which the address belongs, gives it an IPAddress.
  await plane.makeCidr("more", "10.9.0.0/28");
  await eventually(async () => assert.notEqual(await plane.ipAddress("10.9.0.2"), undefined));
});

test("an IPAddress without a Service is removed a minute after it was made, and not before", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  await plane.makeService("a", "10.0.0.5");
  await plane.makeIpAddress("10.0.0.2", "gone");
  await plane.makeIpAddress("10.0.0.3", "a");
  const started = start(plane);
  await untilRepaired(started);
  await plane.makeService("b", "10.0.0.6");
  await eventually(async () => assert.notEqual(await plane.ipAddress("10.0.0.6"), undefined));
  assert.notEqual(await plane.ipAddress("10.0.0.2"), undefined);
  assert.notEqual(await plane.ipAddress("10.0.0.3"), undefined);
  started.advance(61_000);
  await eventually(async () => {
    assert.equal(await plane.ipAddress("10.0.0.2"), undefined);
    assert.equal(await plane.ipAddress("10.0.0.3"), undefined);
  });
  const notes = (await plane.notes()).filter((note) => note.startsWith("IPAddress"));
  assert.deepEqual(notes, [
    "IPAddressNotAllocated: IPAddress: 10.0.0.2 for Service ns/gone appears to have leaked: cleaning up",
    "IPAddressWrongReference: IPAddress: 10.0.0.3 for Service ns/a has a wrong reference; cleaning up",
  ]);
});

test("an IPAddress of the allocator that refers to no Service is removed at once", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  await untilRepaired(start(plane));
  await plane.makeIpAddress("10.0.0.2", "p", (object) => {
    ownObject(object, "spec")["parentRef"] = { resource: "pods", namespace, name: "p" };
  });
  await eventually(async () => assert.equal(await plane.ipAddress("10.0.0.2"), undefined));
  assert.deepEqual(await plane.notes(), [
    "IPAddressNotAllocated: IPAddress 10.0.0.2 appears to have been modified, not referencing a Service &ParentReference{Group:,Resource:pods,Namespace:ns,Name:p,}: cleaning up",
  ]);
});

test("IPAddresses of other programs stay as they are", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  const uid = await plane.makeIpAddress("10.0.0.2", "g", (object) => {
    ownObject(object, "spec")["parentRef"] = { group: "a.example", resource: "gateways", namespace, name: "g" };
    metaOf(object).labels = { "ipaddress.kubernetes.io/managed-by": "a.example" };
  });
  const started = start(plane);
  await untilRepaired(started);
  started.advance(120_000);
  await plane.makeService("b", "10.0.0.6");
  await eventually(async () => assert.notEqual(await plane.ipAddress("10.0.0.6"), undefined));
  assert.equal(uidOfObject(await plane.ipAddress("10.0.0.2")), uid);
});

test("a Service that cannot be repaired is given up after 15 more tries, until it changes", async () => {
  await using plane = await openAddressPlane();
  await plane.makeCidr("kubernetes", "10.0.0.0/28");
  let tries = 0;
  const client = withMethods(plane.client, {
    create(resource, object) {
      if (resource !== ipAddresses) {
        return plane.client.create(resource, object);
      }
      tries++;
      return Promise.reject(new Error("out of order"));
    },
  });
  const started = start(plane, { client, intervalMs: 3_600_000 });
  await untilRepaired(started);
  await plane.makeService("a", "10.0.0.2");
  // Timers run as well: on a slow machine there may be more tries by then.
  const advanceUntil = (count: number): Promise<void> =>
    eventually(() => {
      started.advance(0);
      assert.ok(tries >= count, `${tries} of ${count} tries`);
    });
  await advanceUntil(1);
  for (let retry = 1; retry <= 15; retry++) {
    started.advance(5 * 2 ** (retry - 1) + 1);
    await advanceUntil(retry + 1);
  }
  started.advance(1_000_001); // longer than any wait
  await plane.client.catchUp();
  assert.equal(tries, 16);
  await plane.client.update(services, { namespace, name: "a" }, (service) => {
    ownObject(ownObject(service, "metadata"), "labels")["x"] = "y";
    return service;
  });
  await eventually(() => assert.ok(tries > 16));
  plane.errors.length = 0;
});
