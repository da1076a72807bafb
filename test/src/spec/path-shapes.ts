import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const shapes = "Endpoints, Path shapes";

const noSuchResource = {
  code: 404,
  reason: "NotFound",
  message: "the server could not find the requested resource",
  details: {},
};

describe(shapes, { concurrency: 16 }, () => {
  for (const [scope, collection, body, kind] of [
    ["Core group, cluster scope", "/api/v1/persistentvolumes", persistentVolume(), "PersistentVolume"],
    [
      "Named group, cluster scope",
      "/apis/scheduling.k8s.io/v1/priorityclasses",
      { metadata: { name: "shape" }, value: 1 },
      "PriorityClass",
    ],
    ["Core group, namespaced", "/api/v1/namespaces/NS/configmaps", { metadata: { name: "shape" } }, "ConfigMap"],
    [
      "Named group, namespaced",
      "/apis/coordination.k8s.io/v1/namespaces/NS/leases",
      { metadata: { name: "shape" } },
      "Lease",
    ],
  ] as const) {
    it(`${shapes}, ${scope}: collection and item`, async () => {
      const client = await serverWith();
      const path = collection.replace("NS", await freshNamespace(client));
      assertCode(await client.post(path, body), 201);
      const list = (await client.get(path)).document;
      assert.equal(list.kind, `${kind}List`);
      const item = (await client.get(`${path}/shape`)).document;
      assert.deepEqual([item.kind, item.metadata.name], [kind, "shape"]);
    });
  }

  it(`${shapes}, subresources: below the item, in every scope`, async () => {
    const client = await serverWith();
    assertCode(await client.post("/api/v1/persistentvolumes", persistentVolume("shape-2")), 201);
    for (const path of [
      "/api/v1/persistentvolumes/shape-2/status",
      "/api/v1/namespaces/default/status",
      "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/none/status",
      "/apis/apps/v1/namespaces/default/deployments/none/status",
    ]) {
      const answer = await client.get(path);
      assert.ok(answer.status === 200 || answer.document.message !== noSuchResource.message, `${path}: ${answer.text}`);
    }
    assertStatus(await client.get("/api/v1/namespaces/default/configmaps/a/status"), noSuchResource);
  });

  it(`${shapes}, All-namespaces collection of a namespaced type: without the namespace, for reading only`, async () => {
    const client = await serverWith();
    const namespaces = [await freshNamespace(client), await freshNamespace(client)];
    for (const namespace of namespaces) {
      await createConfigMap(client, namespace, `in-${namespace}`);
    }
    const { items } = (await client.get("/api/v1/configmaps")).document;
    for (const namespace of namespaces) {
      assert.ok(items.some(({ metadata }) => metadata.namespace === namespace));
    }
    const notAllowed = {
      code: 405,
      reason: "MethodNotAllowed",
      message: "the server does not allow this method on the requested resource",
      details: {},
    };
    assertStatus(await client.post("/api/v1/configmaps", { metadata: { name: "a" } }), notAllowed);
    assertStatus(await client.delete("/api/v1/configmaps"), notAllowed);
    assertStatus(await client.get("/api/v1/configmaps/a"), noSuchResource);
    assertCode(await client.get("/apis/apps/v1/deployments"), 200);
  });

  it(`${shapes}, Namespaces (cluster-scoped): a collection and items of the cluster`, async () => {
    const client = await serverWith();
    assert.equal((await client.get("/api/v1/namespaces")).document.kind, "NamespaceList");
    const { document } = await client.get("/api/v1/namespaces/default");
    assert.deepEqual([document.kind, document.metadata.namespace], ["Namespace", undefined]);
  });

  it(`${shapes}: core resources are under /api without a group, others under /apis with one`, async () => {
    const client = await serverWith();
    for (const path of ["/api/apps/v1/deployments", "/apis/v1/pods", "/apis/core/v1/pods", "/v1/pods", "/apis/apps"]) {
      const answer = await client.get(path);
      if (path === "/apis/apps") {
        assert.equal(answer.document.kind, "APIGroup");
      } else if (path.startsWith("/api/")) {
        assertStatus(answer, noSuchResource);
      } else {
        assert.equal(answer.status, 404, path);
        assert.equal(answer.text, "404 page not found\n");
        assert.equal(answer.headers["content-type"], "text/plain; charset=utf-8");
      }
    }
  });

  it(`${shapes}: a resource that no served version has`, async () => {
    const client = await serverWith();
    for (const path of ["/api/v1/none", "/apis/apps/v1/none", "/api/v1/namespaces/default/none/a", "/api/v1/pod"]) {
      assertStatus(await client.get(path), noSuchResource);
    }
    // A cluster-scoped resource is not inside a namespace.
    assertStatus(await client.get("/api/v1/namespaces/default/nodes"), noSuchResource);
  });

  it(`${shapes}: names are decoded once, and may not climb`, async () => {
    const client = await serverWith();
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    assertCode(await client.post(roles, { metadata: { name: "shape:with space" } }), 201);
    const found = await client.get(`${roles}/shape%3Awith%20space`);
    assertCode(found, 200);
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    for (const name of ["..%2Fconfigmaps%2Fa", "%2e%2e", "..", "a%00", "a%252F"]) {
      const answer = await client.get(configMapsPath(namespace, name));
      assert.ok(answer.status === 404 || answer.status === 400, `${name}: ${answer.status}`);
    }
  });
});

function persistentVolume(name = "shape"): object {
  return {
    metadata: { name },
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
  };
}
