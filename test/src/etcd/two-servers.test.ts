import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import type { ControlPlane } from "@gatehouse/testing";
import { sumOf } from "../crash/recorded-write.js";
import { startWatcher } from "../crash/recording-watcher.js";
import { stopping } from "../crash/stopping.js";
import { type Answer, type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { versionOf } from "../spec/support/fixtures.js";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const found = await findEtcd();
const path = "path" in found ? found.path : "";
const configMaps = "/api/v1/namespaces/default/configmaps";
const addresses = ["10.1.0.1", "10.1.0.2"];
/** Content as the watcher of the crash tests wants it. */
const whole = { sum: sumOf("") };
const services = "/api/v1/namespaces/default/services";

describe("two servers on one etcd", { skip: "skip" in found ? found.skip : false }, () => {
  let etcd: EtcdProcess;
  let servers: readonly ControlPlane[];
  let clients: readonly [ApiClient, ApiClient];

  before(async () => {
    etcd = await EtcdProcess.start({ path });
    const flags = [
      ...[`--etcd-servers=${etcd.url}`, "--service-cluster-ip-range=10.9.0.0/24"],
      "--controllers=*,-bootstrap-roles,-root-ca-certificate-publisher-controller",
    ];
    servers = await Promise.all(
      addresses.map((address) => startTestServer({ flags: [...flags, `--advertise-address=${address}`] })),
    );
    clients = servers.map(({ clientConfig }) => createApiClient(clientConfig)) as unknown as typeof clients;
    await until("the namespace is there", async () => (await clients[0].get(configMaps)).status === 200);
  });
  after(async () => {
    for (const client of clients ?? []) {
      client[Symbol.dispose]();
    }
    await Promise.all((servers ?? []).map((server) => server.stop()));
    await etcd?.[Symbol.asyncDispose]();
  });

  it("read each other's writes at once", async () => {
    for (let i = 0; i < 10; i++) {
      const [writer, reader] = i % 2 === 0 ? clients : clients.toReversed();
      const name = `shared-${i}`;
      const created = await (writer as ApiClient).post(configMaps, { metadata: { name } });
      assert.equal(created.status, 201, created.text);
      const read = await (reader as ApiClient).get(`${configMaps}/${name}`);
      assert.equal(read.document.metadata.resourceVersion, created.document.metadata.resourceVersion);
      const list = await (reader as ApiClient).get(configMaps);
      assert.ok(list.document.items?.some((item) => item.metadata.name === name));
    }
  });

  it("let one of two updates of the same version win", async () => {
    const { document } = await clients[0].post(configMaps, { metadata: { name: "contested" }, data: { n: "0" } });
    const updates = clients.map((client, i) =>
      client.put(`${configMaps}/contested`, { ...document, data: { n: String(i + 1) } }),
    );
    const statuses = (await Promise.all(updates)).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 409]);
  });

  it("never give an address or a port of services twice", async () => {
    const create = (i: number): Promise<Answer> =>
      (clients[i % 2] as ApiClient).post(services, {
        metadata: { name: `s${i}` },
        spec: { type: "NodePort", ports: [{ port: 80 }] },
      });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => create(i)));
    for (const answer of answers) {
      assert.equal(answer.status, 201, answer.text);
    }
    const specs = answers.map(({ document }) => document["spec"] as ServiceSpec);
    assert.equal(new Set(specs.map(({ clusterIP }) => clusterIP)).size, answers.length);
    assert.equal(new Set(specs.map(({ ports }) => ports[0]?.nodePort)).size, answers.length);
  });

  it("are both endpoints of the kubernetes Service, by leases under the keys of v1.29", async () => {
    await until("both are endpoints", async () => {
      const { document } = await clients[0].get("/api/v1/namespaces/default/endpoints/kubernetes");
      const [subset] = document["subsets"] as { readonly addresses: readonly { readonly ip: string }[] }[];
      return subset?.addresses.length === 2 && addresses.every((ip) => subset.addresses.some((one) => one.ip === ip));
    });
    await using store = await openEtcdStore({ transport: { servers: [etcd.url] } });
    const { kvs } = await store.range({ prefix: "/registry/masterleases/" });
    assert.deepEqual(
      kvs.map(({ key }) => key),
      addresses.map((address) => `/registry/masterleases/${address}`),
    );
  });

  it("go on when one is killed, and a watch resumes at the other without a gap", async () => {
    const watching = new AbortController();
    using _ = stopping(watching);
    const from = versionOf((await clients[0].get(configMaps)).document);
    const doomed = startWatcher(clients[0], configMaps, from, watching.signal);
    await clients[1].post(configMaps, { metadata: { name: "before" }, data: whole });
    await until("the watch has the first change", () => doomed.events.length > 0);
    await (servers[0] as ControlPlane).kill("SIGKILL");
    const during = await clients[1].post(configMaps, { metadata: { name: "during" }, data: whole });
    assert.equal(during.status, 201, during.text);
    const resumed = startWatcher(clients[1], configMaps, String(doomed.revision), watching.signal);
    await clients[1].post(configMaps, { metadata: { name: "after" }, data: whole });
    await until("the watch has the rest", () => resumed.events.length >= 2);
    const names = [...doomed.events, ...resumed.events].map(({ name }) => name);
    assert.deepEqual(names, ["before", "during", "after"]);
    await (servers[0] as ControlPlane).restart();
    assert.equal((await clients[0].get(`${configMaps}/during`)).status, 200);
  });

  it("answer 504 while etcd is down, are not ready, and go on when it is back", async () => {
    await etcd.signal("SIGKILL");
    const answer = await clients[0].post(configMaps, { metadata: { name: "nowhere" } });
    assert.deepEqual(
      [answer.status, answer.document["reason"], answer.document["message"]],
      [504, "Timeout", "Timeout: request did not complete within requested timeout - context deadline exceeded"],
    );
    assert.equal((await clients[0].get("/readyz")).status, 500);
    await etcd.start();
    for (const client of clients) {
      await until("it is ready", async () => (await client.get("/readyz")).status === 200);
      await until("it serves", async () => (await client.get(configMaps)).status === 200);
    }
    assert.equal((await clients[1].get(`${configMaps}/nowhere`)).status, 404);
    assert.equal((await clients[1].post(configMaps, { metadata: { name: "back" } })).status, 201);
  });
});

interface ServiceSpec {
  readonly clusterIP: string;
  readonly ports: readonly { readonly nodePort: number }[];
}
