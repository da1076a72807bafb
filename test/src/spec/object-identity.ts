import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "../support/until.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, deleteConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

describe("Resources and their fields", { concurrency: 16 }, () => {
  const terms = "Resources and their fields, Terminology";
  const identity = "Resources and their fields, Object identity rules";

  it(`${terms}: resource types are plural in paths, kinds name schemas, collections add List`, async () => {
    const client = await serverWith();
    for (const [path, kind] of [
      ["/api/v1/pods", "PodList"],
      ["/api/v1/services", "ServiceList"],
      ["/api/v1/nodes", "NodeList"],
      ["/apis/apps/v1/deployments", "DeploymentList"],
      ["/apis/networking.k8s.io/v1/ingresses", "IngressList"],
    ] as const) {
      const { document } = await client.get(path);
      assert.equal(document.kind, kind);
      assert.ok(Array.isArray(document.items));
    }
  });

  it(`${terms}: a subresource belongs to one object and cannot span several`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    assertStatus(await client.get(`/apis/apps/v1/namespaces/${namespace}/deployments/none/scale`), {
      code: 404,
      reason: "NotFound",
      message: 'deployments/scale.apps "none" not found',
      details: { name: "none", group: "apps", kind: "deployments/scale" },
    });
  });

  it(`${terms}: a virtual resource is an operation: what is posted is done and answered, not stored`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
    assertCode(await client.post(pods, pod), 201);
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p", namespace } };
    const answer = await client.post(`${pods}/p/eviction`, eviction);
    assert.equal(answer.text, '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}\n');
    assertCode(await client.get(`${pods}/p`), 404);
    assertCode(await client.get(`${pods}/p/eviction`), 405);
  });

  it(`${identity}, 1: a name is taken once per kind and namespace`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    assertStatus(await client.post(configMapsPath(namespace), { metadata: { name: "a" } }), {
      code: 409,
      reason: "AlreadyExists",
      message: 'configmaps "a" already exists',
      details: { name: "a", kind: "configmaps" },
    });
    const secret = await client.post(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: "a" } });
    assertCode(secret, 201);
    await createConfigMap(client, await freshNamespace(client), "a");
  });

  it(`${identity}, 1: every object needs a name`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const text = "Required value: name or generateName is required";
    assertStatus(await client.post(configMapsPath(namespace), {}), {
      code: 422,
      reason: "Invalid",
      message: `ConfigMap "" is invalid: metadata.name: ${text}`,
      details: { kind: "ConfigMap", causes: [{ reason: "FieldValueRequired", message: text, field: "metadata.name" }] },
    });
  });

  it(`${identity}, 1: after deletion the name may be used again, by another object`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const first = await createConfigMap(client, namespace, "a");
    await deleteConfigMap(client, namespace, "a");
    const second = await createConfigMap(client, namespace, "a");
    assert.notEqual(second.metadata.uid, first.metadata.uid);
  });

  it(`${identity}, 2: cluster-scoped names are unique in the whole cluster`, async () => {
    const client = await serverWith();
    assertStatus(await client.post("/api/v1/namespaces", { metadata: { name: "default" } }), {
      code: 409,
      reason: "AlreadyExists",
      message: 'namespaces "default" already exists',
      details: { name: "default", kind: "namespaces" },
    });
  });

  it(`${identity}, 3: objects of a namespace go with it`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    await createConfigMap(client, namespace, "held", { finalizers: ["example.com/hold"] });
    const deleting = await client.delete(`/api/v1/namespaces/${namespace}`);
    assertCode(deleting, 200);
    assert.deepEqual(deleting.document["status"], { phase: "Terminating" });
    await until("the free object is gone", async () => {
      return (await client.get(configMapsPath(namespace, "a"))).status === 404;
    });
    assertCode(await client.get(`/api/v1/namespaces/${namespace}`), 200);
    assertCode(await client.get(configMapsPath(namespace, "held")), 200);

    assertStatus(await client.post(configMapsPath(namespace), { metadata: { name: "late" } }), {
      code: 403,
      reason: "Forbidden",
      message: `configmaps "late" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
      details: {
        name: "late",
        kind: "configmaps",
        causes: [
          {
            reason: "NamespaceTerminating",
            message: `namespace ${namespace} is being terminated`,
            field: "metadata.namespace",
          },
        ],
      },
    });

    const release = { metadata: { finalizers: null } };
    assertCode(await client.patch(configMapsPath(namespace, "held"), "application/merge-patch+json", release), 200);
    await until("the namespace is gone", async () => {
      return (await client.get(`/api/v1/namespaces/${namespace}`)).status === 404;
    });
  });

  it(`${identity}, 3: an object cannot come into a namespace that does not exist`, async () => {
    const client = await serverWith();
    assertStatus(await client.post(configMapsPath("nowhere"), { metadata: { name: "a" } }), {
      code: 404,
      reason: "NotFound",
      message: 'namespaces "nowhere" not found',
      details: { name: "nowhere", kind: "namespaces" },
    });
  });
});
