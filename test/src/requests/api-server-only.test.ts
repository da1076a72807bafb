import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap } from "../spec/support/fixtures.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const namespace = "only";
const namespacePath = `/api/v1/namespaces/${namespace}`;
const accountPath = `${namespacePath}/serviceaccounts/default`;
const certificatesPath = configMapsPath(namespace, "kube-root-ca.crt");

const onlyFlags = [
  "--controllers=kube-apiserver",
  "--disable-admission-plugins=ServiceAccount",
  "--authorization-mode=RBAC",
];

async function codesOf(client: ApiClient, ...paths: readonly string[]): Promise<readonly number[]> {
  const answers = await Promise.all(paths.map((path) => client.get(path)));
  return answers.map(({ status }) => status);
}

async function until404(client: ApiClient, path: string): Promise<void> {
  await until(`${path} is gone`, async () => (await client.get(path)).status === 404);
}

/** Makes an owner and a dependent, and deletes the owner. */
async function orphan(client: ApiClient): Promise<void> {
  const { metadata } = await createConfigMap(client, namespace, "owner");
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: metadata.uid }];
  assertCode(await client.post(configMapsPath(namespace), { metadata: { name: "dependent", ownerReferences } }), 201);
  assertCode(await client.delete(configMapsPath(namespace, "owner", "propagationPolicy=Background")), 200);
}

/** Each step is seen to be done by a server with all controllers first, which has as much to do. */
describe("With --controllers=kube-apiserver the work of kube-controller-manager is left to others:", () => {
  let servers: readonly ControlPlane[] = [];
  let complete: ApiClient;
  let only: ApiClient;
  before(async () => {
    servers = await Promise.all([startTestServer(), startTestServer({ flags: onlyFlags })]);
    [complete, only] = servers.map(({ clientConfig }) => createApiClient(clientConfig)) as [ApiClient, ApiClient];
    for (const client of [only, complete]) {
      assertCode(await client.post("/api/v1/namespaces", { metadata: { name: namespace } }), 201);
    }
  });
  after(async () => {
    only?.[Symbol.dispose]();
    complete?.[Symbol.dispose]();
    await Promise.all(servers.map((server) => server.stop()));
  });

  it("a namespace has no ServiceAccount and no root certificates", async () => {
    const paths = [accountPath, certificatesPath];
    await until("all are made elsewhere", async () =>
      (await codesOf(complete, ...paths)).every((code) => code === 200),
    );
    assert.deepEqual(await codesOf(only, ...paths), [404, 404]);
  });

  it("a pod needs no ServiceAccount", async () => {
    const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
    assertCode(await only.post(`${namespacePath}/pods`, pod), 201);
  });

  it("dependents outlive their owner", async () => {
    await orphan(only);
    await orphan(complete);
    const dependent = configMapsPath(namespace, "dependent");
    await until404(complete, dependent);
    assert.deepEqual(await codesOf(only, dependent), [200]);
  });

  it("a namespace is neither emptied nor finalized, until a client does it", async () => {
    for (const client of [only, complete]) {
      assertCode(await client.delete(namespacePath), 200);
    }
    await until404(complete, namespacePath);
    const { document } = await only.get(namespacePath);
    assert.deepEqual(
      [document["status"], document["spec"]],
      [{ phase: "Terminating" }, { finalizers: ["kubernetes"] }],
    );
    assert.deepEqual(await codesOf(only, configMapsPath(namespace, "dependent")), [200]);
    assertCode(await only.put(`${namespacePath}/finalize`, { ...document, spec: {} }), 200);
    await until404(only, namespacePath);
  });

  it("what kube-apiserver does itself is done", async () => {
    const paths = [
      "/api/v1/namespaces/kube-system",
      "/api/v1/namespaces/default/services/kubernetes",
      "/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical",
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin",
      "/apis/apiregistration.k8s.io/v1/apiservices/v1.apps",
    ];
    await until("all are made", async () => (await codesOf(only, ...paths)).every((code) => code === 200));
  });
});
