import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace, namesOf, versionOf } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const verbs = "Endpoints, Verbs";

describe(verbs, { concurrency: 16 }, () => {
  it(`${verbs}, get: GET of an item answers with the object`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const object = await createConfigMap(client, namespace, "a");
    const answer = await client.get(configMapsPath(namespace, "a"));
    assertCode(answer, 200);
    assert.deepEqual(answer.document, object);
  });

  it(`${verbs}, list: GET of a collection answers with its envelope`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const answer = await client.get(configMapsPath(namespace));
    assertCode(answer, 200);
    assert.deepEqual([answer.document.kind, namesOf(answer.document)], ["ConfigMapList", ["a"]]);
  });

  it(`${verbs}, watch: GET of a collection with watch answers with a chunked stream`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"));
    assert.equal(watch.status, 200);
    assert.equal(watch.headers["transfer-encoding"], "chunked");
    assert.equal((await watch.next()).type, "ADDED");
  });

  it(`${verbs}, create: POST to a collection answers 201 with the object`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const answer = await client.post(configMapsPath(namespace), { metadata: { name: "a" } });
    assertCode(answer, 201);
    assert.deepEqual([answer.document.kind, answer.document.metadata.name], ["ConfigMap", "a"]);
    assertCode(await client.post(configMapsPath(namespace, "b"), { metadata: { name: "b" } }), 405);
  });

  it(`${verbs}, update: PUT of a complete object answers 200 with it`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const object = await createConfigMap(client, namespace, "a", { data: { k: "1", l: "1" } });
    const answer = await client.put(configMapsPath(namespace, "a"), { ...object, data: { k: "2" } });
    assertCode(answer, 200);
    assert.deepEqual(answer.document, {
      ...object,
      metadata: {
        ...object.metadata,
        resourceVersion: versionOf(answer.document),
        managedFields: answer.document.metadata["managedFields"],
      },
      data: { k: "2" },
    });
  });

  it(`${verbs}, update: kinds whose strategy says so need the resourceVersion`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    assertCode(await client.post(leases, { metadata: { name: "a" } }), 201);
    const text = "Invalid value: 0x0: must be specified for an update";
    assertStatus(await client.put(`${leases}/a`, { metadata: { name: "a" } }), {
      code: 422,
      reason: "Invalid",
      message: `leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: ${text}`,
      details: {
        name: "a",
        group: "coordination.k8s.io",
        kind: "leases",
        causes: [{ reason: "FieldValueInvalid", message: text, field: "metadata.resourceVersion" }],
      },
    });
  });

  it(`${verbs}, update: PUT of what is missing creates it for kinds that allow that, and is 404 for others`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    assertCode(await client.put(configMapsPath(namespace, "a"), { metadata: { name: "a" } }), 404);
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    const created = await client.put(`${leases}/a`, { metadata: { name: "a" } });
    assertCode(created, 201);
    assert.equal(created.document.kind, "Lease");
  });

  it(`${verbs}, patch: PATCH answers 200 with the object`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const patch = { data: { k: "v" } };
    const answer = await client.patch(configMapsPath(namespace, "a"), "application/merge-patch+json", patch);
    assertCode(answer, 200);
    assert.deepEqual([answer.document.kind, answer.document.data], ["ConfigMap", { k: "v" }]);
  });

  it(`${verbs}, delete: the body is optional, the answer a Status, or the object where it remains`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    await createConfigMap(client, namespace, "b", { finalizers: ["example.com/hold"] });
    assert.equal((await client.delete(configMapsPath(namespace, "a"))).document.kind, "Status");
    const options = { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 };
    assert.equal((await client.delete(configMapsPath(namespace, "b"), options)).document.kind, "ConfigMap");
  });

  it(`${verbs}, deletecollection: DELETE of a collection removes what the selectors pick`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a", { labels: { team: "red" } });
    await createConfigMap(client, namespace, "b", { labels: { team: "blue" } });
    await createConfigMap(client, namespace, "c", { labels: { team: "red" } });
    const answer = await client.delete(configMapsPath(namespace, "", "labelSelector=team%3Dred"));
    assertCode(answer, 200);
    assert.deepEqual([answer.document.kind, namesOf(answer.document)], ["ConfigMapList", ["a", "c"]]);
    assert.deepEqual(namesOf((await client.get(configMapsPath(namespace))).document), ["b"]);
    await client.delete(configMapsPath(namespace, "", "fieldSelector=metadata.name%3Db&dryRun=All"));
    assert.deepEqual(namesOf((await client.get(configMapsPath(namespace))).document), ["b"]);
  });

  it(`${verbs}: others are not allowed`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    for (const [method, path] of [
      ["PUT", configMapsPath(namespace)],
      ["PATCH", configMapsPath(namespace)],
      ["POST", configMapsPath(namespace, "a")],
      ["OPTIONS", configMapsPath(namespace)],
      ["TRACE", configMapsPath(namespace, "a")],
      ["DELETE", "/api/v1/namespaces"],
      ["POST", "/apis/apps/v1/namespaces/default/deployments/a/scale"],
    ] as const) {
      assertStatus(await client.request(method, path), {
        code: 405,
        reason: "MethodNotAllowed",
        message: "the server does not allow this method on the requested resource",
        details: {},
      });
    }
  });
});
