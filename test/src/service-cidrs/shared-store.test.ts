import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { type SpreadClients, spreadClients, untilServing } from "../workers/workers-of-server.js";

const found = await findEtcd();
const services = "/api/v1/namespaces/default/services";
const group = "/apis/networking.k8s.io/v1alpha1";
const workers = 2;
const flags = [
  "--feature-gates=MultiCIDRServiceAllocator=true",
  "--runtime-config=networking.k8s.io/v1alpha1=true",
  "--service-cluster-ip-range=10.0.0.0/26",
  "--controllers=*,-bootstrap-roles,-root-ca-certificate-publisher-controller",
];
/** The number of addresses of the range, without that of the Service `kubernetes`. */
const free = 61;

describe("Addresses of Services from ServiceCIDRs, by a server with workers and another one on the same etcd", {
  skip: "skip" in found ? found.skip : false,
}, () => {
  let etcd: EtcdProcess;
  let servers: readonly ControlPlane[];
  let spread: SpreadClients;
  let other: ApiClient;
  let clients: readonly ApiClient[];

  before(async () => {
    etcd = await EtcdProcess.start({ path: "path" in found ? found.path : "" });
    const all = [...flags, `--etcd-servers=${etcd.url}`];
    servers = await Promise.all([
      startTestServer({ flags: [...all, `--workers=${workers}`] }),
      startTestServer({ flags: all }),
    ]);
    await untilServing(servers[0] as ControlPlane, workers);
    spread = await spreadClients(servers[0] as ControlPlane, workers);
    other = createApiClient((servers[1] as ControlPlane).clientConfig);
    clients = [...spread.clients, other];
    await until(
      "the kubernetes Service is there",
      async () => (await other.get(`${services}/kubernetes`)).status === 200,
    );
  });
  after(async () => {
    spread?.[Symbol.dispose]();
    other?.[Symbol.dispose]();
    await Promise.all((servers ?? []).map((server) => server.stop()));
    await etcd?.[Symbol.asyncDispose]();
  });

  function clientFor(index: number): ApiClient {
    return clients[index % clients.length] as ApiClient;
  }

  function create(index: number, name: string, spec: object = {}) {
    const metadata = { name };
    return clientFor(index).post(services, {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { ports: [{ port: 80 }], ...spec },
    });
  }

  it("are given to one of the Services that ask for the same one at the same time", async () => {
    const asked = await Promise.all(
      clients.map((_, index) => create(index, `same-${index}`, { clusterIP: "10.0.0.33" })),
    );
    assert.deepEqual(asked.map(({ status }) => status).sort(), [201, 422, 422]);
  });

  it("are given out until the range is full, each once and with an IPAddress", async () => {
    const asked = await Promise.all(Array.from({ length: free + 5 }, (_, index) => create(index, `s-${index}`)));
    const made = asked.filter(({ status }) => status === 201);
    // One of the range was taken above.
    assert.equal(made.length, free - 1);
    assert.ok(asked.every(({ status }) => status === 201 || status === 500));
    const addresses = made.map(({ document }) => (document["spec"] as { clusterIP: string }).clusterIP);
    assert.equal(new Set(addresses).size, addresses.length);
    const { document } = await other.get(`${group}/ipaddresses`);
    assert.equal((document["items"] as readonly object[]).length, free + 1);
  });

  it("come from a new range at every server soon", async () => {
    const made = await other.post(`${group}/servicecidrs`, {
      apiVersion: "networking.k8s.io/v1alpha1",
      kind: "ServiceCIDR",
      metadata: { name: "more" },
      spec: { cidrs: ["10.1.0.0/28"] },
    });
    assert.equal(made.status, 201);
    for (const [index] of clients.entries()) {
      await until("a Service is made", async () => (await create(index, `late-${index}`)).status === 201);
    }
  });

  it("are given back at whatever server a Service is deleted", async () => {
    for (const [index] of clients.entries()) {
      const path = `${services}/late-${index}`;
      const { document } = await clientFor(index).get(path);
      const { clusterIP } = document["spec"] as { clusterIP: string };
      assert.equal((await clientFor(index + 1).delete(path)).status, 200);
      assert.equal((await clientFor(index + 2).get(`${group}/ipaddresses/${clusterIP}?resourceVersion=`)).status, 404);
    }
  });
});
