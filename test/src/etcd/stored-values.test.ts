import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Store } from "@gatehouse/apiserver/storage";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { unwrapEnvelope } from "@gatehouse/envelopes/codec";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { define, sampleDefinition } from "../support/sample-definition.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const found = await findEtcd();
const path = "path" in found ? found.path : "";
const configMaps = "/api/v1/namespaces/default/configmaps";
const ingresses = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";

describe("values in an etcd that kube-apiserver shares", { skip: "skip" in found ? found.skip : false }, () => {
  let etcd: EtcdProcess;
  let store: Store;
  let server: ControlPlane;
  let client: ApiClient;

  before(async () => {
    etcd = await EtcdProcess.start({ path });
    store = await openEtcdStore({ transport: { servers: [etcd.url] } });
    server = await startTestServer({ flags: [`--etcd-servers=${etcd.url}`] });
    client = createApiClient(server.clientConfig);
  });
  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
    await store?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  async function stored(key: string): Promise<Buffer> {
    const { kv } = await store.get(`/registry/${key}`);
    assert.ok(kv !== undefined, `${key} is stored`);
    return kv.value;
  }

  async function put(key: string, text: string): Promise<number> {
    const { kv } = await store.get(`/registry/${key}`);
    const expectedRevision = kv?.modRevision ?? 0;
    const result = await store.put(`/registry/${key}`, Buffer.from(text), { expectedRevision });
    assert.ok(result.succeeded);
    return result.revision;
  }

  it("are protobuf for built-in kinds", async () => {
    assert.equal((await client.post(configMaps, { metadata: { name: "a" } })).status, 201);
    const { apiVersion, kind } = unwrapEnvelope(await stored("configmaps/default/a"));
    assert.deepEqual([apiVersion, kind], ["v1", "ConfigMap"]);
    assert.equal(unwrapEnvelope(await stored("ranges/serviceips")).kind, "RangeAllocation");
  });

  it("are JSON that ends with a line feed for definitions, in v1beta1, and for custom resources", async () => {
    const definition = sampleDefinition("boats", "Boat", "stored.example.com");
    await define(server, definition);
    const boats = "/apis/stored.example.com/v1/namespaces/default/boats";
    const boat = { apiVersion: "stored.example.com/v1", kind: "Boat", metadata: { name: "a" } };
    assert.equal((await client.post(boats, boat)).status, 201);
    const text = String(await stored("apiextensions.k8s.io/customresourcedefinitions/boats.stored.example.com"));
    assert.match(text, /^\{"kind":"CustomResourceDefinition","apiVersion":"apiextensions\.k8s\.io\/v1beta1",.*\}\n$/);
    assert.match(String(await stored("stored.example.com/boats/default/a")), /^\{"apiVersion":"stored.*\}\n$/);
  });

  it("are read in a version of an earlier release, and written anew by an update that changes nothing", async () => {
    const ingress = {
      apiVersion: "extensions/v1beta1",
      kind: "Ingress",
      metadata: {
        name: "old",
        namespace: "default",
        uid: "1",
        creationTimestamp: "2020-01-02T03:04:05Z",
        generation: 1,
      },
      spec: { backend: { serviceName: "web", servicePort: "http" } },
    };
    const revision = await put("ingress/default/old", JSON.stringify(ingress));
    const read = await until("the server has seen it", async () => {
      const answer = await client.get(`${ingresses}/old`);
      return answer.status === 200 ? answer : undefined;
    });
    assert.equal(read.document.metadata.resourceVersion, String(revision));
    const { spec } = read.document as unknown as { spec: unknown };
    assert.deepEqual(spec, { defaultBackend: { service: { name: "web", port: { name: "http" } } } });
    const updated = await client.put(`${ingresses}/old`, read.document as never);
    assert.notEqual(updated.document.metadata.resourceVersion, String(revision));
    assert.equal(unwrapEnvelope(await stored("ingress/default/old")).apiVersion, "networking.k8s.io/v1");
    const again = await client.put(`${ingresses}/old`, updated.document as never);
    assert.equal(again.document.metadata.resourceVersion, updated.document.metadata.resourceVersion);
  });

  it("of definitions in v1beta1 without preserveUnknownFields say that objects keep unknown fields", async () => {
    const names = { plural: "rafts", singular: "raft", kind: "Raft", listKind: "RaftList" };
    const condition = { status: "True", lastTransitionTime: "2019-01-02T03:04:05Z", reason: "Fine", message: "" };
    const definition = {
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v1beta1",
      metadata: { name: "rafts.old.example.com", uid: "1", generation: 1, creationTimestamp: "2019-01-02T03:04:05Z" },
      spec: { group: "old.example.com", version: "v1", names, scope: "Namespaced" },
      status: {
        conditions: ["NamesAccepted", "Established"].map((type) => ({ type, ...condition })),
        acceptedNames: names,
        storedVersions: ["v1"],
      },
    };
    await put(`apiextensions.k8s.io/customresourcedefinitions/${definition.metadata.name}`, JSON.stringify(definition));
    const rafts = "/apis/old.example.com/v1/namespaces/default/rafts";
    await until("its resource is served", async () => (await client.get(rafts)).status === 200);
    const raft = {
      apiVersion: "old.example.com/v1",
      kind: "Raft",
      metadata: { name: "a" },
      spec: { logs: [{ a: null }] },
    };
    assert.equal((await client.post(`${rafts}?fieldValidation=Strict`, raft as never)).status, 201);
    const text = String(await stored("old.example.com/rafts/default/a"));
    assert.ok(text.endsWith(',"spec":{"logs":[{"a":null}]}}\n'), text);
  });

  it("that cannot be decoded answer with 500, as lists of their resource do, until they are replaced", async () => {
    const message = 'no kind "ConfigMap" is registered for version "v9" in scheme "pkg/runtime/scheme.go:100"';
    await put("configmaps/default/odd", '{"kind":"ConfigMap","apiVersion":"v9","metadata":{"name":"odd"}}');
    const odd = await until("the server has seen it", async () => {
      const answer = await client.get(`${configMaps}/odd`);
      return answer.status === 404 ? undefined : answer;
    });
    assert.deepEqual([odd.status, odd.document.message, odd.document.reason], [500, message, undefined]);
    const list = await client.get(configMaps);
    assert.deepEqual([list.status, list.document.message], [500, message]);
    assert.equal((await client.get(`${configMaps}/a`)).status, 200);
    assert.equal((await client.post(configMaps, { metadata: { name: "b" } })).status, 201);
    assert.equal((await client.get("/api/v1/secrets")).status, 200);
    await put("configmaps/default/odd", '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"odd","uid":"2"}}');
    const whole = await until("the server has seen the new value", async () => {
      const answer = await client.get(configMaps);
      return answer.status === 200 ? answer : undefined;
    });
    assert.ok(whole.document.items?.some(({ metadata }) => metadata.name === "odd"));
  });
});
