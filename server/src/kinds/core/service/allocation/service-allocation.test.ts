import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addressRange,
  addressText,
  type Cidr,
  type NumberRange,
  parseCidr,
  portRange,
} from "@gatehouse/apiserver/options";
import type { ServedResource } from "@gatehouse/apiserver/registry";
import {
  createObject,
  fillDefaults,
  noWriteOptions,
  type OperationScope,
  updateObject,
} from "@gatehouse/apiserver/verbs";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { keyPrefix, openTestControlPlane, type TestControlPlane } from "../../../../control-plane.test.support.js";
import { services } from "../../../../controllers/core-resources.js";
import { rangeKeys } from "./range-keys.js";
import { serviceAllocation } from "./service-allocation.js";
import { putRange, takenOf } from "./test-store.test.support.js";

const primary = addressRange(parseCidr("10.0.0.0/27") as Cidr);
const secondary = addressRange(parseCidr("fd00::/123") as Cidr);
const ranges = {
  addresses: [primary, secondary] as const,
  nodePorts: portRange("30000-30009") as NumberRange,
};
const keys = rangeKeys(keyPrefix);

interface Given extends AsyncDisposable {
  readonly plane: TestControlPlane;
  /** Returns the taken addresses and ports. */
  taken(): Promise<{ readonly addresses: readonly string[]; readonly nodePorts: readonly number[] }>;
  create(name: string, spec: JsonObject, dryRun?: boolean): Promise<JsonObject>;
  update(name: string, spec: JsonObject, dryRun?: boolean): Promise<JsonObject>;
  read(name: string): Promise<JsonObject>;
}

async function open(): Promise<Given> {
  const faults: unknown[] = [];
  const plane = await openTestControlPlane({
    transactions: (store) =>
      new Map([
        [
          "services",
          serviceAllocation({
            store,
            keyPrefix,
            ...ranges,
            reportFault: (error) => faults.push(error),
            random: () => 0,
          }),
        ],
      ]),
  });
  const { store } = plane;
  await putRange(store, keys.addresses, primary);
  await putRange(store, keys.secondaryAddresses, secondary);
  await putRange(store, keys.nodePorts, ranges.nodePorts);
  await plane.makeNamespace("ns");
  const served = plane.liveRegistry.current.find("", "v1", "services") as ServedResource;
  const caller = (name: string) => ({
    user: { username: "me", groups: [] },
    agent: "",
    info: { namespace: "ns", name, subresource: "" },
    signal: plane.signal,
    warn() {},
    yield: () => undefined,
    yieldIfLarge: () => undefined,
  });
  const scope = (name: string): OperationScope => ({ environment: plane.environment, caller: caller(name), served });
  const specOf = (object: JsonObject | undefined): JsonObject => objectAt(object, "spec");
  const read = async (name: string) => specOf(await plane.client.get(services, "ns", name));
  return {
    plane,
    read,
    async taken() {
      const addresses = [
        ...(await takenOf(store, keys.addresses, primary)).map((number) => addressText(primary, number)),
        ...(await takenOf(store, keys.secondaryAddresses, secondary)).map((number) => addressText(secondary, number)),
      ];
      return { addresses, nodePorts: await takenOf(store, keys.nodePorts, ranges.nodePorts) };
    },
    async create(name, spec, dryRun = false) {
      const metadata = { name, namespace: "ns" };
      const object: JsonObject = { kind: "Service", apiVersion: "v1", metadata, spec: structuredClone(spec) };
      await createObject(scope(name), { object, options: { ...noWriteOptions, dryRun } });
      return specOf(object);
    },
    async update(name, spec, dryRun = false) {
      const { object } = await updateObject(scope(name), {
        subresource: "",
        options: { ...noWriteOptions, dryRun },
        createWhenMissing: false,
        async revise(old) {
          const object: JsonObject = { ...structuredClone(old), spec: structuredClone(spec) };
          await fillDefaults(scope(name), object);
          return object;
        },
      });
      return specOf(object);
    },
    async [Symbol.asyncDispose]() {
      await plane[Symbol.asyncDispose]();
      assert.deepEqual(faults, []);
    },
  };
}

function saying(message: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof StatusError);
    assert.equal(error.message, message);
    return true;
  };
}

const ports = [{ name: "a", port: 80, protocol: "TCP", targetPort: 80 }];
const dualPorts = [
  { name: "a", port: 53, protocol: "TCP", targetPort: 53 },
  { name: "b", port: 53, protocol: "UDP", targetPort: 53 },
];
const nothing = { addresses: [], nodePorts: [] };

test("a service gets an address, and a node port for each of its ports", async () => {
  await using given = await open();
  const spec = await given.create("s", { type: "NodePort", ports: [...ports, { name: "b", port: 81 }] });
  assert.equal(spec["clusterIP"], "10.0.0.17");
  assert.deepEqual(spec["clusterIPs"], ["10.0.0.17"]);
  assert.deepEqual(await given.read("s"), spec);
  assert.deepEqual(await given.taken(), { addresses: ["10.0.0.17"], nodePorts: [30000, 30001] });
});

test("one number of two protocols shares a node port", async () => {
  await using given = await open();
  const spec = await given.create("s", { type: "LoadBalancer", ports: dualPorts });
  assert.deepEqual(
    (spec["ports"] as JsonObject[]).map((port) => port["nodePort"]),
    [30000, 30000],
  );
  assert.deepEqual((await given.taken()).nodePorts, [30000]);
  await given.plane.client.delete(services, "ns", "s");
  assert.deepEqual(await given.taken(), nothing);
});

test("a load balancer that needs no node ports gets none, but a port for health checks", async () => {
  await using given = await open();
  const type = { type: "LoadBalancer", externalTrafficPolicy: "Local", allocateLoadBalancerNodePorts: false };
  const spec = await given.create("s", { ...type, ports });
  assert.equal((spec["ports"] as JsonObject[])[0]?.["nodePort"], undefined);
  assert.equal(spec["healthCheckNodePort"], 30000);
  await given.update("s", { ...spec, externalTrafficPolicy: "Cluster" });
  assert.deepEqual((await given.taken()).nodePorts, []);
});

test("names and headless services take nothing", async () => {
  await using given = await open();
  await given.create("name", { type: "ExternalName", externalName: "x.y" });
  await given.create("headless", { clusterIP: "None", ports });
  assert.deepEqual(await given.taken(), nothing);
});

test("addresses and ports that are asked for are reserved, or refused in the words of v1.29", async () => {
  await using given = await open();
  await given.create("s", { type: "NodePort", clusterIP: "10.0.0.5", ports: [{ port: 80, nodePort: 30007 }] });
  const refused: readonly (readonly [JsonObject, string])[] = [
    [
      { clusterIP: "10.0.0.5", ports },
      'spec.clusterIPs: Invalid value: []string{"10.0.0.5"}: failed to allocate IP 10.0.0.5: provided IP is already allocated',
    ],
    [
      { clusterIP: "10.0.0.31", ports },
      'spec.clusterIPs: Invalid value: []string{"10.0.0.31"}: failed to allocate IP 10.0.0.31: the provided IP (10.0.0.31) is not in the valid range. The range of valid IPs is 10.0.0.0/27',
    ],
    [
      { type: "NodePort", ports: [{ port: 79 }, { port: 80, nodePort: 30007 }] },
      "spec.ports[1].nodePort: Invalid value: 30007: provided port is already allocated",
    ],
    [
      { type: "NodePort", ports: [{ port: 80, nodePort: 29999 }] },
      "spec.ports[0].nodePort: Invalid value: 29999: provided port is not in the valid range. The range of valid ports is 30000-30009",
    ],
  ];
  for (const [spec, error] of refused) {
    await assert.rejects(given.create("t", spec), saying(`Service "t" is invalid: ${error}`));
  }
  assert.deepEqual(await given.taken(), { addresses: ["10.0.0.5"], nodePorts: [30007] });
});

test("a service that is not stored gives everything back", async () => {
  await using given = await open();
  await given.create("s", { type: "NodePort", ports });
  const before = await given.taken();
  await assert.rejects(given.create("s", { type: "NodePort", ports }), saying('services "s" already exists'));
  await assert.rejects(given.create("Bad_Name", { type: "NodePort", ports }), StatusError);
  await assert.rejects(given.update("s", { type: "LoadBalancer", clusterIP: "10.0.0.9", ports }), StatusError);
  assert.deepEqual(await given.taken(), before);
});

test("a dry run takes nothing, and says what v1.29 says", async () => {
  await using given = await open();
  const spec = await given.create("s", { type: "NodePort", ports: [...ports, { name: "b", port: 81 }] }, true);
  assert.equal(spec["clusterIP"], "10.0.0.0");
  assert.deepEqual(
    (spec["ports"] as JsonObject[]).map((port) => port["nodePort"]),
    [32769, 32770],
  );
  await given.create("s", { ports });
  assert.equal((await given.update("s", { type: "NodePort", ports }, true))["type"], "NodePort");
  assert.deepEqual(await given.taken(), { addresses: ["10.0.0.17"], nodePorts: [] });
});

test("changes of type allocate and give back", async () => {
  await using given = await open();
  await given.create("s", { ports });
  await given.update("s", { type: "NodePort", ports });
  assert.deepEqual(await given.taken(), { addresses: ["10.0.0.17"], nodePorts: [30000] });
  await given.update("s", { type: "LoadBalancer", externalTrafficPolicy: "Local", ports });
  assert.deepEqual(await given.taken(), { addresses: ["10.0.0.17"], nodePorts: [30000, 30001] });
  await given.update("s", { type: "ExternalName", externalName: "x.y" });
  assert.deepEqual(await given.taken(), nothing);
  await given.update("s", { type: "ClusterIP", clusterIP: "10.0.0.3", ports });
  assert.deepEqual(await given.taken(), { addresses: ["10.0.0.3"], nodePorts: [] });
});

test("ports that change give the old ones back once the new ones are stored", async () => {
  await using given = await open();
  await given.create("s", { type: "NodePort", ports });
  await given.update("s", {
    type: "NodePort",
    ports: [
      { name: "a", port: 80, nodePort: 30005 },
      { name: "b", port: 81 },
    ],
  });
  assert.deepEqual((await given.taken()).nodePorts, [30001, 30005]);
});

test("the last finalizer takes the address with it, whichever write removes it", async () => {
  await using given = await open();
  const { client } = given.plane;
  for (const subresource of ["", "status"]) {
    await given.create("s", { type: "NodePort", ports });
    await client.update(services, { namespace: "ns", name: "s" }, (object) => {
      (object["metadata"] as JsonObject)["finalizers"] = ["example.com/hold"];
      return object;
    });
    await client.delete(services, "ns", "s");
    assert.equal((await given.taken()).addresses.length, 1);
    await client.update(services, { namespace: "ns", name: "s", subresource }, (object) => {
      (object["metadata"] as JsonObject)["finalizers"] = [];
      return object;
    });
    assert.deepEqual(await given.taken(), nothing);
  }
});

test("a range without free addresses refuses", async () => {
  await using given = await open();
  await Promise.all(Array.from({ length: 30 }, (_, index) => given.create(`s${index}`, { ports })));
  assert.equal((await given.taken()).addresses.length, 30);
  await assert.rejects(
    given.create("t", { ports }),
    saying("Internal error occurred: failed to allocate a serviceIP: range is full"),
  );
});

test("a write that interferes with another one leaves nothing taken for nobody", async () => {
  await using given = await open();
  await given.create("s", { ports });
  const types = ["NodePort", "LoadBalancer", "ClusterIP"];
  await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => given.update("s", { type: types[index % 3] as string, ports })),
  );
  await given.update("s", { type: "NodePort", ports });
  assert.equal((await given.taken()).nodePorts.length, 1);
});

test("a service of two families takes an address of each range, and gives the second one back as single stack", async () => {
  await using given = await open();
  const dual = await given.create("s", { ipFamilyPolicy: "RequireDualStack", ports });
  assert.deepEqual(dual["clusterIPs"], ["10.0.0.17", "fd00::11"]);
  assert.deepEqual((await given.taken()).addresses, ["10.0.0.17", "fd00::11"]);
  const single = await given.update("s", { ...dual, ipFamilyPolicy: "SingleStack" });
  assert.deepEqual(single["clusterIPs"], ["10.0.0.17"]);
  assert.deepEqual((await given.taken()).addresses, ["10.0.0.17"]);
  const again = await given.update("s", { ...single, ipFamilyPolicy: "PreferDualStack" });
  assert.deepEqual(again["ipFamilies"], ["IPv4", "IPv6"]);
  assert.deepEqual((await given.taken()).addresses, ["10.0.0.17", "fd00::11"]);
  await given.plane.client.delete(services, "ns", "s");
  assert.deepEqual(await given.taken(), nothing);
});

test("a service that prefers the secondary family gets its address first", async () => {
  await using given = await open();
  const families = { ipFamilies: ["IPv6", "IPv4"], ipFamilyPolicy: "RequireDualStack" };
  const spec = await given.create("s", { ...families, clusterIP: "fd00::5", clusterIPs: ["fd00::5"], ports });
  assert.deepEqual(spec["clusterIPs"], ["fd00::5", "10.0.0.17"]);
  assert.equal(spec["clusterIP"], "fd00::5");
});

test("a service whose second address is unavailable takes no first one", async () => {
  await using given = await open();
  const pair = {
    ipFamilyPolicy: "RequireDualStack",
    clusterIP: "10.0.0.5",
    clusterIPs: ["10.0.0.5", "fd00::5"],
    ports,
  };
  await given.create("s", pair);
  await assert.rejects(
    given.create("t", { ...pair, clusterIP: "10.0.0.6", clusterIPs: ["10.0.0.6", "fd00::5"] }),
    saying(
      'Service "t" is invalid: spec.clusterIPs: Invalid value: []string{"10.0.0.6", "fd00::5"}: failed to allocate IP fd00::5: provided IP is already allocated',
    ),
  );
  assert.deepEqual((await given.taken()).addresses, ["10.0.0.5", "fd00::5"]);
});
