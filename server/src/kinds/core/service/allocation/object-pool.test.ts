import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdmissionPlugin } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { addressRange, type Cidr, type NumberRange, parseCidr, portRange } from "@gatehouse/apiserver/options";
import type { ServedResource } from "@gatehouse/apiserver/registry";
import { createObject, fillDefaults, noWriteOptions, type OperationScope } from "@gatehouse/apiserver/verbs";
import { type JsonObject, objectAt, ownObject } from "@gatehouse/envelopes/json";
import { forbidden, StatusError } from "@gatehouse/envelopes/status";
import {
  keyPrefix,
  openTestControlPlane,
  type TestControlPlane,
  type TestControlPlaneOptions,
} from "../../../../control-plane.test.support.js";
import { services } from "../../../../controllers/core-resources.js";
import { type AddressObjects, openAddressObjects } from "../../../../ip-addresses/address-objects.js";
import { ipAddresses, ipAddressOf } from "../../../../ip-addresses/ip-address-object.js";
import { serviceCidrs } from "../../../../ip-addresses/service-cidrs.js";
import { objectPool } from "./object-pool.js";
import { rangeKeys } from "./range-keys.js";
import { serviceAllocation } from "./service-allocation.js";
import { putRange } from "./test-store.test.support.js";

const ports = portRange("30000-30001") as NumberRange;

interface Given extends AsyncDisposable {
  readonly plane: TestControlPlane;
  create(name: string, spec: JsonObject, dryRun?: boolean): Promise<JsonObject>;
  update(name: string, change: JsonObject): Promise<void>;
  makeCidr(name: string, ...cidrs: string[]): Promise<void>;
  /** Returns the addresses that have objects, with the Service that each refers to. */
  taken(): Promise<Readonly<Record<string, string>>>;
}

type Plugins = NonNullable<TestControlPlaneOptions["plugins"]>;

async function open({ isOpened = true, plugins = [] as Plugins } = {}): Promise<Given> {
  let opened: AddressObjects | undefined;
  const plane = await openTestControlPlane({
    plugins,
    serves: ["networking.k8s.io/v1alpha1"],
    transactions: (store) =>
      new Map([
        [
          "services",
          serviceAllocation({
            store,
            keyPrefix,
            addresses: [addressRange(parseCidr("10.0.0.0/29") as Cidr), addressRange(parseCidr("fd00::/120") as Cidr)],
            addressPool: (family) => objectPool(family, async () => opened),
            nodePorts: ports,
            reportFault: (error) => plane.errors.push(error),
          }),
        ],
      ]),
  });
  const { client, signal } = plane;
  const onError = (error: unknown): void => void plane.errors.push(error);
  opened = isOpened ? await openAddressObjects({ client, signal, onError }) : undefined;
  await putRange(plane.store, rangeKeys(keyPrefix).nodePorts, ports);
  await plane.makeNamespace("ns");
  const served = plane.liveRegistry.current.find("", "v1", "services") as ServedResource;
  const scope = (name: string): OperationScope => ({
    environment: plane.environment,
    caller: {
      user: { username: "me", groups: [] },
      agent: "",
      info: { namespace: "ns", name, subresource: "" },
      signal,
      warn() {},
      yield: () => undefined,
      yieldIfLarge: () => undefined,
    },
    served,
  });
  return {
    plane,
    async create(name, spec, dryRun = false) {
      const object: JsonObject = {
        kind: "Service",
        apiVersion: "v1",
        metadata: { name, namespace: "ns" },
        spec: { ports: [{ port: 80 }], ...spec },
      };
      await fillDefaults(scope(name), object);
      await createObject(scope(name), { object, options: { ...noWriteOptions, dryRun } });
      return objectAt(object, "spec");
    },
    update: (name, change) =>
      plane.client.update(services, { namespace: "ns", name }, (service) => {
        Object.assign(ownObject(service, "spec"), change);
        return service;
      }),
    async makeCidr(name, ...cidrs) {
      await plane.make(serviceCidrs, {
        kind: "ServiceCIDR",
        apiVersion: "networking.k8s.io/v1alpha1",
        metadata: { name },
        spec: { cidrs },
      });
      await client.catchUp();
    },
    async taken() {
      const objects = await client.list(ipAddresses, "");
      return Object.fromEntries(
        objects.map(({ name, entry }) => {
          const { namespace, name: owner } = objectAt(entry.object(), "spec", "parentRef");
          return [name, `${namespace}/${owner}`];
        }),
      );
    },
    async [Symbol.asyncDispose]() {
      await plane[Symbol.asyncDispose]();
    },
  };
}

async function refusal(made: Promise<unknown>): Promise<string> {
  try {
    await made;
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return `${error.code} ${error.status.message}`;
  }
  throw new Error("nothing was refused");
}

const full = "500 Internal error occurred: failed to allocate a serviceIP: range is full";
const notReady = "500 Internal error occurred: failed to allocate a serviceIP: allocator not ready";

test("an address has an object that refers to its Service, and goes with the Service", async () => {
  await using given = await open();
  await given.makeCidr("c", "10.0.0.0/29", "fd00::/120");
  const spec = await given.create("a", { ipFamilyPolicy: "RequireDualStack" });
  const [first, second] = spec["clusterIPs"] as [string, string];
  assert.deepEqual(await given.taken(), { [first]: "ns/a", [second]: "ns/a" });
  const object = await given.plane.client.get(ipAddresses, "", second);
  assert.deepEqual(metaOf(object ?? {}).labels, {
    "ipaddress.kubernetes.io/ip-family": "IPv6",
    "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
  });
  await given.plane.client.delete(services, "ns", "a");
  assert.deepEqual(await given.taken(), {});
  assert.deepEqual(given.plane.errors, []);
});

test("addresses are given out until a range is full, each once", async () => {
  await using given = await open();
  await given.makeCidr("c", "10.0.0.0/29");
  const made = await Promise.all(Array.from({ length: 6 }, (_, index) => given.create(`s${index}`, {})));
  assert.equal(new Set(made.map((spec) => spec["clusterIP"])).size, 6);
  assert.equal(await refusal(given.create("more", {})), full);
  await given.makeCidr("d", "10.1.0.0/30");
  assert.match(String((await given.create("more", {}))["clusterIP"]), /^10\.1\.0\.[12]$/);
});

test("an address that another program has taken is not given out", async () => {
  await using given = await open();
  await given.makeCidr("c", "10.0.0.0/30");
  await given.plane.make(ipAddresses, {
    ...ipAddressOf("10.0.0.1", { namespace: "ns", name: "gateway" }),
    spec: { parentRef: { group: "example.org", resource: "gateways", namespace: "ns", name: "g" } },
  });
  assert.equal((await given.create("a", {}))["clusterIP"], "10.0.0.2");
  assert.equal(await refusal(given.create("b", {})), full);
  assert.match(await refusal(given.create("c", { clusterIP: "10.0.0.1" })), /: provided IP is already allocated$/);
});

test("addresses come from the outermost ranges, which must be ready", async () => {
  await using given = await open();
  const { client } = given.plane;
  await given.makeCidr("inner", "10.0.0.0/30");
  await given.makeCidr("outer", "10.0.0.0/29");
  await client.apply(
    serviceCidrs,
    { namespace: "", name: "outer", subresource: "status" },
    {
      metadata: { name: "outer" },
      status: {
        conditions: [
          { type: "Ready", status: "False", reason: "R", message: "", lastTransitionTime: "2024-01-01T00:00:00Z" },
        ],
      },
    },
    "test",
  );
  await client.catchUp();
  assert.equal(await refusal(given.create("a", {})), full);
  assert.match(await refusal(given.create("a", { clusterIP: "10.0.0.2" })), /: allocator not ready$/);
  assert.equal(await refusal(given.create("a", {}, true)), notReady);
  // The same range in another object, which is ready.
  await given.makeCidr("same", "10.0.0.0/29");
  assert.equal((await given.create("a", { clusterIP: "10.0.0.2" }))["clusterIP"], "10.0.0.2");
});

test("nothing is allocated without a range, or from an IPv6 range that is too large", async () => {
  await using given = await open();
  assert.equal(await refusal(given.create("a", {})), full);
  assert.equal(await refusal(given.create("a", {}, true)), notReady);
  await given.makeCidr("large", "fd00::/63");
  assert.equal(await refusal(given.create("a", { ipFamilies: ["IPv6"] })), full);
  assert.match(
    await refusal(given.create("a", { clusterIP: "fd00::1" })),
    /: the provided network does not match the current range$/,
  );
});

test("nothing is allocated before the objects are known", async () => {
  await using given = await open({ isOpened: false });
  await given.makeCidr("c", "10.0.0.0/29");
  assert.equal(await refusal(given.create("a", {})), notReady);
  assert.equal(await refusal(given.create("a", { clusterIP: "10.0.0.2" })), notReady);
});

test("a refused Service leaves no address behind", async () => {
  await using given = await open();
  await given.makeCidr("c", "10.0.0.0/29", "fd00::/120");
  await given.create("a", { clusterIP: "fd00::5" });
  const dual = { ipFamilyPolicy: "RequireDualStack", clusterIP: "10.0.0.2", clusterIPs: ["10.0.0.2", "fd00::5"] };
  assert.match(
    await refusal(given.create("b", dual)),
    /failed to allocate IP fd00::5: provided IP is already allocated/,
  );
  const ofPorts = { type: "NodePort", ports: [{ port: 80, nodePort: 29999 }] };
  assert.match(await refusal(given.create("c", ofPorts)), /provided port is not in the valid range/);
  assert.match(await refusal(given.create("d", { sessionAffinity: "Odd" })), /sessionAffinity/);
  assert.deepEqual(await given.taken(), { "fd00::5": "ns/a" });
});

test("a Service without an address any more gives it back, and one that gets families takes theirs", async () => {
  await using given = await open();
  await given.makeCidr("c", "10.0.0.0/29", "fd00::/120");
  await given.create("a", { clusterIP: "10.0.0.2" });
  await given.update("a", { ipFamilyPolicy: "RequireDualStack", clusterIPs: ["10.0.0.2", "fd00::7"] });
  assert.deepEqual(await given.taken(), { "10.0.0.2": "ns/a", "fd00::7": "ns/a" });
  await given.update("a", { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"], clusterIPs: ["10.0.0.2"] });
  assert.deepEqual(await given.taken(), { "10.0.0.2": "ns/a" });
  await given.plane.client.update(services, { namespace: "ns", name: "a" }, (service) => {
    service["spec"] = { type: "ExternalName", externalName: "a.example", sessionAffinity: "None" };
    return service;
  });
  assert.deepEqual(await given.taken(), {});
});

test("a Service without a name is refused as such", async () => {
  await using given = await open();
  for (const spec of [{}, { clusterIP: "10.0.0.2" }, { ipFamilyPolicy: "RequireDualStack" }]) {
    assert.equal(
      await refusal(given.create("", spec)),
      '422 Service "" is invalid: metadata.name: Required value: name or generateName is required',
    );
  }
  assert.deepEqual(await given.taken(), {});
});

test("the address of another Service is not given back", async () => {
  await using given = await open();
  const { client } = given.plane;
  await given.makeCidr("c", "10.0.0.0/29");
  await given.create("a", { clusterIP: "10.0.0.2" });
  await client.delete(ipAddresses, "", "10.0.0.2");
  await given.create("b", { clusterIP: "10.0.0.2" });
  await client.delete(services, "ns", "a");
  assert.deepEqual(await given.taken(), { "10.0.0.2": "ns/b" });
});

test("an address whose object is not admitted is refused with the reason", async () => {
  const noIpAddresses: AdmissionPlugin = {
    name: "no-ip-addresses",
    concerns: ({ resource }) => resource.resource === "ipaddresses",
    validate() {
      throw forbidden(ipAddresses, "10.0.0.2", "not here");
    },
  };
  await using given = await open({ plugins: [() => noIpAddresses] });
  await given.makeCidr("c", "10.0.0.0/29");
  const reason = 'ipaddresses.networking.k8s.io "10.0.0.2" is forbidden: not here';
  assert.equal(
    await refusal(given.create("a", {})),
    `500 Internal error occurred: failed to allocate a serviceIP: ${reason}`,
  );
  assert.match(
    await refusal(given.create("a", { clusterIP: "10.0.0.2" })),
    /^422 .*: failed to allocate IP 10\.0\.0\.2: ipaddresses\.networking\.k8s\.io "10\.0\.0\.2" is forbidden: not here$/,
  );
});
