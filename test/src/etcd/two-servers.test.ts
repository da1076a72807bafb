import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { serverId } from "@gatehouse/apiserver/server";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { loadEtcdApi } from "@gatehouse/apiserver/storage/etcd/api";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { sumOf } from "../crash/recorded-write.js";
import { startWatcher } from "../crash/recording-watcher.js";
import { stopping } from "../crash/stopping.js";
import { type Answer, type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { versionOf } from "../spec/support/fixtures.js";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { startTestServer } from "../support/start-test-server.js";
import { TcpProxy } from "../support/tcp-proxy.js";
import { until } from "../support/until.js";

const found = await findEtcd();
const path = "path" in found ? found.path : "";
const configMaps = "/api/v1/namespaces/default/configmaps";
const addresses = ["10.1.0.1", "10.1.0.2"];
/** Content as the watcher of the crash tests wants it. */
const whole = { sum: sumOf("") };
const secrets = "/api/v1/namespaces/default/secrets";
const services = "/api/v1/namespaces/default/services";
const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const controllersLease = `${leases}/gatehouse-controller-manager`;

describe("two servers on one etcd", { skip: "skip" in found ? found.skip : false }, () => {
  let etcd: EtcdProcess;
  /** The etcd of Events. */
  let other: EtcdProcess;
  /** The networks between each server and etcd. */
  let networks: readonly TcpProxy[];
  let servers: readonly ControlPlane[];
  let clients: readonly [ApiClient, ApiClient];

  before(async () => {
    [etcd, other] = await Promise.all([EtcdProcess.start({ path }), EtcdProcess.start({ path })]);
    const flags = [
      `--etcd-servers-overrides=/events#${other.url}`,
      "--service-cluster-ip-range=10.9.0.0/24",
      "--controllers=*,-bootstrap-roles,-root-ca-certificate-publisher-controller",
      ...["--leader-elect-lease-duration=2s", "--leader-elect-renew-deadline=1500ms"],
      "--leader-elect-retry-period=200ms",
    ];
    const etcdPort = Number(new URL(etcd.url).port);
    networks = await Promise.all(addresses.map(() => TcpProxy.start(etcdPort)));
    servers = await Promise.all(
      addresses.map((address, i) => {
        const own = [`--advertise-address=${address}`, `--etcd-servers=http://127.0.0.1:${networks[i]?.port}`];
        return startTestServer({ flags: [...flags, ...own] });
      }),
    );
    clients = servers.map(({ clientConfig }) => createApiClient(clientConfig)) as unknown as typeof clients;
    await until("the namespace is there", async () => (await clients[0].get(configMaps)).status === 200);
  });
  after(async () => {
    for (const client of clients ?? []) {
      client[Symbol.dispose]();
    }
    await Promise.all((servers ?? []).map((server) => server.stop()));
    await Promise.all([etcd, other, ...(networks ?? [])].map((each) => each?.[Symbol.asyncDispose]()));
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

  it("keep the resources of an override at its etcd", async () => {
    const events = "/api/v1/namespaces/default/events";
    const involvedObject = { kind: "Pod", namespace: "default", name: "a" };
    const created = await clients[0].post(events, { metadata: { name: "e" }, involvedObject });
    assert.equal(created.status, 201, created.text);
    assert.equal((await clients[1].get(`${events}/e`)).status, 200);
    const list = await clients[1].get(events);
    assert.ok(list.document.items?.some(({ metadata }) => metadata.name === "e"));
    for (const [{ url }, wanted] of [
      [etcd, 0],
      [other, 1],
    ] as const) {
      await using store = await openEtcdStore({ transport: { servers: [url] } });
      assert.equal((await store.range({ prefix: "/registry/events/" })).kvs.length, wanted);
    }
  });

  it("show requests to etcd in their metrics, under v1.29's names", async () => {
    const { text } = await clients[0].get("/metrics");
    for (const line of [
      /^etcd_requests_total\{operation="create",type="configmaps"\} \d+$/m,
      /^etcd_request_duration_seconds_count\{operation="create",type="configmaps"\} \d+$/m,
      /^apiserver_storage_events_received_total\{resource="configmaps"\} \d+$/m,
      /^apiserver_storage_objects\{resource="configmaps"\} \d+$/m,
    ]) {
      assert.match(text, line);
    }
  });

  it("show the size of each etcd cluster, not of each of its servers", async () => {
    await until("both have been asked", async () => {
      const { text } = await clients[0].get("/metrics");
      const clusters = [...text.matchAll(/^apiserver_storage_size_bytes\{cluster="(.*?)"\} \d+$/gm)].map(
        ([, name]) => name,
      );
      return clusters.sort().join() === "etcd-0,etcd-1";
    });
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

  it("lose no change of a revision that etcd makes of several keys, as it does when a lease ends", async () => {
    const { lease, kv } = await loadEtcdApi();
    const { id } = await etcd.call(lease.LeaseGrant, { ttlSeconds: 3600 });
    const names = ["leased-1", "leased-2", "leased-3"];
    // The changes come in the order of keys, so that the two resources take turns.
    const keys = ["configmaps", "secrets"].flatMap((one) => names.map((name) => `/registry/${one}/default/${name}`));
    const success = keys.map((key) => {
      const [, , kind, , name = ""] = key.split("/");
      const metadata = { name, namespace: "default", uid: name };
      const object = { kind: kind === "secrets" ? "Secret" : "ConfigMap", apiVersion: "v1", metadata, data: {} };
      return { requestPut: { key: Buffer.from(key), value: Buffer.from(JSON.stringify(object)), lease: id } };
    });
    const leased = async (): Promise<number> => {
      const lists = await Promise.all([clients[0].get(configMaps), clients[0].get(secrets)]);
      const items = lists.flatMap(({ document }) => document.items ?? []);
      return items.filter(({ metadata }) => metadata.name?.startsWith("leased-")).length;
    };
    assert.equal(await leased(), 0); // the caches are filled
    const from = versionOf((await clients[0].get(configMaps)).document);
    await etcd.call(kv.Txn, { success });
    assert.equal(await leased(), keys.length);
    await etcd.call(lease.LeaseRevoke, { id });
    assert.equal(await leased(), 0);
    const watch = await clients[0].get(`${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=${from}`);
    const events = watch.text.trim().split("\n");
    const seen = events.map((line) => JSON.parse(line) as { type: string; object: JsonObject });
    assert.deepEqual(
      seen.map(({ type, object }) => `${type} ${textAt(object, "metadata", "name")}`),
      ["ADDED", "DELETED"].flatMap((type) => names.map((name) => `${type} ${name}`)),
    );
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
    for (const { value } of kvs) {
      assert.equal(value.subarray(0, 4).toString("latin1"), "k8s\0", "v1.29 reads them as protobuf");
    }
  });

  it("count an address whose lease a kube-apiserver has written", async () => {
    await using store = await openEtcdStore({ transport: { servers: [etcd.url] } });
    // As v1.29.0 writes it; recorded for 127.0.0.1, which is as long as the address here.
    const recorded = "azhzAAoPCgJ2MRIJRW5kcG9pbnRzEiMKEAoAEgAaACIAKgAyADgCQgASDwoNCgkxMjcuMC4wLjEaABoAIgA=";
    const value = Buffer.from(recorded, "base64");
    value.write("10.1.0.99", value.indexOf("127.0.0.1"));
    await store.put("/registry/masterleases/10.1.0.99", value, { expectedRevision: 0 });
    await until("it is an endpoint", async () => {
      const { text } = await clients[1].get("/api/v1/namespaces/default/endpoints/kubernetes");
      return text.includes('"10.1.0.99"');
    });
    await store.delete("/registry/masterleases/10.1.0.99", {
      expectedRevision: (await store.get("/registry/masterleases/10.1.0.99")).kv?.modRevision ?? 0,
    });
  });

  it("run the controllers of kube-controller-manager on one of them, which has the lease", async () => {
    const holder = await until("one has the lease", async () => holderOf(await clients[0].get(controllersLease)));
    const logs = servers.map((server) => server.logs.text());
    const leading = logs.filter((text) => text.includes("this server runs the controllers of its store"));
    assert.equal(leading.length, 1, "one leads");
    assert.ok(leading[0]?.includes(holder));
  });

  it("have an identity lease of v1.29 for their host", async () => {
    const label = "apiserver.kubernetes.io/identity=kube-apiserver";
    const list = await clients[0].get(`${leases}?labelSelector=${encodeURIComponent(label)}`);
    assert.deepEqual(
      list.document.items?.map(({ metadata }) => metadata.name),
      [serverId()],
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

  it("move the controllers when the server that runs them is killed", async () => {
    const holder = await until("one has the lease", async () => holderOf(await clients[0].get(controllersLease)));
    const doomed = servers.findIndex((server) => server.logs.text().includes(holder));
    const other = clients[1 - doomed] as ApiClient;
    await (servers[doomed] as ControlPlane).kill("SIGKILL");
    assert.equal((await other.post("/api/v1/namespaces", { metadata: { name: "orphaned" } })).status, 201);
    await until(
      "the other makes its service account",
      async () => (await other.get("/api/v1/namespaces/orphaned/serviceaccounts/default")).status === 200,
    );
    assert.notEqual(holderOf(await other.get(controllersLease)), holder);
    await (servers[doomed] as ControlPlane).restart();
  });

  it("move the controllers when the server that runs them is cut off from etcd", async () => {
    const holder = await until("one has the lease", async () => holderOf(await clients[0].get(controllersLease)));
    const index = servers.findLastIndex((server) => server.logs.text().includes(holder));
    const [cutOff, network] = [servers[index] as ControlPlane, networks[index] as TcpProxy];
    const other = clients[1 - index] as ApiClient;
    const linesOf = (server: ControlPlane, text: string) => server.logs.text().split(text).length - 1;
    const stops = linesOf(cutOff, "no longer runs the controllers");
    network.cut();
    await until("another has the lease", async () => {
      const current = holderOf(await other.get(controllersLease));
      return current !== undefined && current !== holder;
    });
    await until(
      "the former leader has stopped by itself",
      () => linesOf(cutOff, "no longer runs the controllers") === stops + 1,
    );
    const refused = await (clients[index] as ApiClient).get(`${configMaps}/before`);
    assert.equal(refused.status, 504, refused.text);
    network.heal();
    await until("it serves again", async () => (await (clients[index] as ApiClient).get(configMaps)).status === 200);
    assert.equal((await other.post(configMaps, { metadata: { name: "healed" } })).status, 201);
    assert.equal((await (clients[index] as ApiClient).get(`${configMaps}/healed`)).status, 200);
  });

  it("refuse to start on a prefix into which a restore has not ended", async () => {
    await using store = await openEtcdStore({ transport: { servers: [etcd.url] } });
    await store.put("gatehouse/unfinished-restore/half/", Buffer.from("1"), { expectedRevision: 0 });
    await assert.rejects(
      startTestServer({ flags: [`--etcd-servers=${etcd.url}`, "--etcd-prefix=/half"] }),
      /a restore into \/half\/ of etcd at .* has not ended; run `gatehouse restore` again/,
    );
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

/** Returns the holder of a lease that was asked for; undefined when there is none. */
function holderOf({ document }: Answer): string | undefined {
  return textAt(document as JsonObject, "spec", "holderIdentity") || undefined;
}

interface ServiceSpec {
  readonly clusterIP: string;
  readonly ports: readonly { readonly nodePort: number }[];
}
