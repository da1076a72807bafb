import assert from "node:assert/strict";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, listAt, objectAt, valueAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { keyPrefix, type TestControlPlane } from "../../control-plane.test.support.js";
import { endpointSlices, endpoints, services } from "../core-resources.js";
import { openServicePlane } from "../service-plane.test.support.js";
import { type KubernetesServiceOptions, kubernetesService } from "./kubernetes-service.js";
import { storeServerLeases } from "./server-leases.js";

function start(plane: TestControlPlane, options: Partial<KubernetesServiceOptions> = {}): void {
  plane.start(
    kubernetesService({
      client: plane.client,
      clusterIP: "10.96.0.1",
      securePort: 6443,
      address: "192.0.2.7",
      reconciler: "lease",
      serverCount: 1,
      nodePort: 0,
      leases: storeServerLeases(plane.store, keyPrefix),
      onError: (error) => plane.errors.push(error),
      ...options,
    }),
  );
}

const port = { name: "https", port: 6443, protocol: "TCP" };

function withoutSystemMetadata(object: JsonObject | undefined): JsonObject {
  const meta = metaOf(object ?? {});
  const { name, namespace, labels } = meta;
  return { ...object, metadata: { name, namespace, labels } };
}

/** Returns the members of `spec` that the first owner of an object has. */
function ownedFields(object: JsonObject | undefined): string[] {
  const [owner] = listAt(object, "metadata", "managedFields");
  return Object.keys(objectAt(owner, "fieldsV1", "f:spec")).sort();
}

test("the kubernetes Service has the port on nodes that it is given", async () => {
  await using plane = await openServicePlane();
  const { client } = plane;
  start(plane, { nodePort: 30_123 });
  await eventually(async () => {
    const service = await client.get(services, "default", "kubernetes");
    assert.equal(valueAt(service, "spec", "type"), "NodePort");
    assert.deepEqual(valueAt(service, "spec", "ports"), [
      { name: "https", protocol: "TCP", port: 443, targetPort: 6443, nodePort: 30_123 },
    ]);
  });
});

test("the kubernetes Service, its Endpoints and its EndpointSlice are as v1.29 writes them", async () => {
  await using plane = await openServicePlane();
  const { client, errors } = plane;
  start(plane);
  await eventually(async () => assert.ok(await client.get(endpointSlices, "default", "kubernetes")));
  const stored = await client.get(services, "default", "kubernetes");
  assert.deepEqual(ownedFields(stored), [
    ...["f:clusterIP", "f:internalTrafficPolicy", "f:ipFamilyPolicy", "f:ports", "f:sessionAffinity", "f:type"],
  ]);
  const service = withoutSystemMetadata(stored);
  assert.deepEqual(service["metadata"], {
    name: "kubernetes",
    namespace: "default",
    labels: { component: "apiserver", provider: "kubernetes" },
  });
  assert.deepEqual(service["spec"], {
    ports: [{ name: "https", protocol: "TCP", port: 443, targetPort: 6443 }],
    clusterIP: "10.96.0.1",
    clusterIPs: ["10.96.0.1"],
    type: "ClusterIP",
    sessionAffinity: "None",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    internalTrafficPolicy: "Cluster",
  });
  assert.deepEqual(withoutSystemMetadata(await client.get(endpoints, "default", "kubernetes")), {
    kind: "Endpoints",
    apiVersion: "v1",
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { "endpointslice.kubernetes.io/skip-mirror": "true" },
    },
    subsets: [{ addresses: [{ ip: "192.0.2.7" }], ports: [port] }],
  });
  assert.deepEqual(withoutSystemMetadata(await client.get(endpointSlices, "default", "kubernetes")), {
    kind: "EndpointSlice",
    apiVersion: "discovery.k8s.io/v1",
    metadata: { name: "kubernetes", namespace: "default", labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.7"], conditions: { ready: true } }],
    ports: [port],
  });
  assert.deepEqual(errors, []);
});

test("what others spoil or delete is repaired when ten seconds have passed, and not before", async () => {
  await using plane = await openServicePlane();
  const { client } = plane;
  let now = 0;
  let advanced = (): void => {};
  const clock = {
    now: () => now,
    onAdvance(listener: () => void) {
      advanced = listener;
    },
  };
  start(plane, { clock });
  await eventually(async () => assert.ok(await client.get(endpointSlices, "default", "kubernetes")));
  const target = { namespace: "default", name: "kubernetes" };
  await client.update(endpoints, target, (object) => ({ ...object, subsets: [] }));
  await client.delete(endpointSlices, "default", "kubernetes");
  await client.delete(services, "default", "kubernetes");
  now += 9_999;
  advanced();
  assert.equal(await client.get(services, "default", "kubernetes"), undefined);
  now += 1;
  await eventually(async () => {
    // The work before may not have ended when the clock was moved.
    advanced();
    assert.deepEqual(valueAt(await client.get(endpoints, "default", "kubernetes"), "subsets"), [
      { addresses: [{ ip: "192.0.2.7" }], ports: [port] },
    ]);
    assert.ok(await client.get(endpointSlices, "default", "kubernetes"));
    assert.ok(await client.get(services, "default", "kubernetes"));
  });
});

test("an address of the other family replaces the slice, whose address type cannot be changed", async () => {
  await using plane = await openServicePlane();
  const { client } = plane;
  await plane.makeNamespace("default");
  await plane.make(endpointSlices, {
    kind: "EndpointSlice",
    apiVersion: "discovery.k8s.io/v1",
    metadata: { namespace: "default", name: "kubernetes" },
    addressType: "IPv6",
    endpoints: [{ addresses: ["2001:db8::1"] }],
  });
  start(plane, { reconciler: "master-count" });
  await eventually(async () => {
    const slice = await client.get(endpointSlices, "default", "kubernetes");
    assert.equal(slice?.["addressType"], "IPv4");
  });
});

test("with leases, all servers that are alive are endpoints; a server gives its lease back when it stops", async () => {
  const plane = await openServicePlane();
  const { client, store } = plane;
  const leases = storeServerLeases(store, keyPrefix);
  await leases.renew("192.0.2.9");
  await leases.renew("192.0.2.9");
  start(plane);
  await eventually(async () =>
    assert.deepEqual(valueAt(await client.get(endpoints, "default", "kubernetes"), "subsets"), [
      { addresses: [{ ip: "192.0.2.7" }, { ip: "192.0.2.9" }], ports: [port] },
    ]),
  );
  let released: string | undefined;
  const second = kubernetesService({
    client,
    clusterIP: "10.96.0.1",
    securePort: 6443,
    address: "192.0.2.8",
    reconciler: "lease",
    serverCount: 1,
    nodePort: 0,
    leases: {
      ...leases,
      async release(address) {
        released = address;
      },
    },
    onError() {},
  });
  const stopping = new AbortController();
  const run = second.run(stopping.signal);
  await eventually(async () => assert.ok((await leases.addresses()).includes("192.0.2.8")));
  stopping.abort();
  await run;
  assert.equal(released, "192.0.2.8");
  await leases.release("192.0.2.8");
  assert.deepEqual(await leases.addresses(), ["192.0.2.7", "192.0.2.9"]);
  await plane[Symbol.asyncDispose]();
});

test("with the reconciler none the Service is there and its endpoints are left alone", async () => {
  await using plane = await openServicePlane();
  start(plane, { reconciler: "none" });
  await eventually(async () => assert.ok(await plane.client.get(services, "default", "kubernetes")));
  await plane.client.catchUp();
  assert.equal(await plane.client.get(endpoints, "default", "kubernetes"), undefined);
});

test("an address that only this machine can reach is no endpoint, and no fault", async () => {
  await using plane = await openServicePlane();
  start(plane, { address: "127.0.0.1" });
  await eventually(async () => assert.ok(await plane.client.get(services, "default", "kubernetes")));
  await plane.client.catchUp();
  assert.equal(await plane.client.get(endpoints, "default", "kubernetes"), undefined);
  assert.deepEqual(plane.errors, []);
});

test("with master-count, servers add themselves to the endpoints, and others go when there are too many", async () => {
  await using plane = await openServicePlane();
  const { client } = plane;
  const subsets = async () => valueAt(await client.get(endpoints, "default", "kubernetes"), "subsets");
  const addresses = (...ips: string[]) => [{ addresses: ips.map((ip) => ({ ip })), ports: [port] }];
  start(plane, { reconciler: "master-count", serverCount: 2, address: "192.0.2.9" });
  await eventually(async () => assert.deepEqual(await subsets(), addresses("192.0.2.9")));
  start(plane, { reconciler: "master-count", serverCount: 2, address: "192.0.2.7" });
  await eventually(async () => assert.deepEqual(await subsets(), addresses("192.0.2.7", "192.0.2.9")));
});
