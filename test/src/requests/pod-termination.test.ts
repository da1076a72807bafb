import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const podsPath = (namespace: string, rest = "") => `/api/v1/namespaces/${namespace}/pods${rest}`;

/** Makes a pod that runs on the node, as far as anybody knows. */
async function runPod(client: ApiClient, namespace: string, metadata: object): Promise<void> {
  const spec = { containers: [{ name: "c", image: "i" }], nodeName: "node", terminationGracePeriodSeconds: 3600 };
  assertCode(await client.post(podsPath(namespace), { metadata, spec }), 201);
}

async function podNames(client: ApiClient, namespace: string): Promise<readonly (string | undefined)[]> {
  return (await client.get(podsPath(namespace))).document.items.map(({ metadata }) => metadata.name);
}

describe("With --pod-termination=immediate a pod on a node goes", () => {
  const flags = ["--disable-admission-plugins=ServiceAccount"];
  let server: ControlPlane;
  let client: ApiClient;
  let left: string;
  before(async () => {
    server = await startTestServer({ flags });
    client = createApiClient(server.clientConfig);
    // The node exists: nobody collects its pods.
    assertCode(await client.post("/api/v1/nodes", { metadata: { name: "node" } }), 201);
    left = await freshNamespace(client);
    await runPod(client, left, { name: "left" });
    const deleted = await client.delete(podsPath(left, "/left"));
    assert.equal(deleted.document.metadata.deletionGracePeriodSeconds, 3600);
    assert.deepEqual(await podNames(client, left), ["left"]);
    await server.restart({ flags: [...flags, "--pod-termination=immediate"] });
  });
  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
  });

  it("when it was left waiting for its kubelet before the flag was set", async () => {
    await until("the pod is gone", async () => (await podNames(client, left)).length === 0);
  });

  it("when it is deleted, whatever grace period is asked for, and watchers see that it was going", async () => {
    const namespace = await freshNamespace(client);
    await runPod(client, namespace, { name: "a" });
    await runPod(client, namespace, { name: "b" });
    using watch = await client.watch(podsPath(namespace, "?watch=1&fieldSelector=metadata.name=a"));
    assertCode(await client.delete(podsPath(namespace, "/a")), 200);
    const events = await watch.take(3);
    assert.deepEqual(
      events.map(({ type }) => type),
      ["ADDED", "MODIFIED", "DELETED"],
    );
    assertCode(await client.delete(podsPath(namespace, "/b?gracePeriodSeconds=600")), 200);
    assert.deepEqual(await podNames(client, namespace), []);
  });

  it("when its collection is deleted", async () => {
    const namespace = await freshNamespace(client);
    await runPod(client, namespace, { name: "a" });
    await runPod(client, namespace, { name: "b" });
    assertCode(await client.delete(podsPath(namespace)), 200);
    assert.deepEqual(await podNames(client, namespace), []);
  });

  it("when it is evicted, as by drain", async () => {
    const namespace = await freshNamespace(client);
    await runPod(client, namespace, { name: "a" });
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a", namespace } };
    assertCode(await client.post(podsPath(namespace, "/a/eviction"), eviction), 201);
    assert.deepEqual(await podNames(client, namespace), []);
  });

  it("when its owner is deleted", async () => {
    const namespace = await freshNamespace(client);
    const { metadata } = await createConfigMap(client, namespace, "owner");
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: metadata.uid }];
    await runPod(client, namespace, { name: "a", ownerReferences });
    assertCode(await client.delete(`/api/v1/namespaces/${namespace}/configmaps/owner`), 200);
    await until("the pod is gone", async () => (await podNames(client, namespace)).length === 0);
  });

  it("when its namespace is deleted, which then goes, too", async () => {
    const namespace = await freshNamespace(client);
    await runPod(client, namespace, { name: "a" });
    const path = `/api/v1/namespaces/${namespace}`;
    assertCode(await client.delete(path), 200);
    await until("the namespace is gone", async () => (await client.get(path)).status === 404);
  });

  it("but not before its finalizers are removed", async () => {
    const namespace = await freshNamespace(client);
    await runPod(client, namespace, { name: "a", finalizers: ["example.com/held"] });
    const deleted = await client.delete(podsPath(namespace, "/a"));
    assert.equal(deleted.document.metadata.deletionGracePeriodSeconds, 0);
    assert.deepEqual(await podNames(client, namespace), ["a"]);
    const released = { metadata: { finalizers: null } };
    assertCode(await client.patch(podsPath(namespace, "/a"), "application/merge-patch+json", released), 200);
    assert.deepEqual(await podNames(client, namespace), []);
  });

  it("and not in a dry run", async () => {
    const namespace = await freshNamespace(client);
    await runPod(client, namespace, { name: "a" });
    assertCode(await client.delete(podsPath(namespace, "/a?dryRun=All")), 200);
    assert.deepEqual(await podNames(client, namespace), ["a"]);
  });
});
