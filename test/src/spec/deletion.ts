import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "../support/until.js";
import type { ApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace, versionOf } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const states = "States and transitions";
const mergePatch = "application/merge-patch+json";

describe(states, { concurrency: 16 }, () => {
  it(`${states}, Live (deletionTimestamp unset), delete request: Terminating, with deletionTimestamp set`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const before = await createConfigMap(client, namespace, "a", { finalizers: ["example.com/a"] });
    const answer = await client.delete(configMapsPath(namespace, "a"));
    assertCode(answer, 200);
    const { deletionTimestamp, resourceVersion } = answer.document.metadata;
    assert.deepEqual(answer.document, {
      ...before,
      metadata: { ...before.metadata, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds: 0 },
    });
    assert.ok(Math.abs(Date.parse(String(deletionTimestamp)) - Date.now()) < 3_600_000);
    assert.deepEqual((await client.get(configMapsPath(namespace, "a"))).document, answer.document);
  });

  it(`${states}, Terminating, a finalizer goes and others remain: Terminating`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const finalizers = ["example.com/a", "example.com/b", "example.com/c"];
    await createConfigMap(client, namespace, "a", { finalizers });
    assertCode(await client.delete(configMapsPath(namespace, "a")), 200);
    // In any order: rule 2.
    for (const rest of [["example.com/a", "example.com/c"], ["example.com/c"]]) {
      const answer = await setFinalizers(client, namespace, rest);
      assertCode(answer, 200);
      assert.deepEqual(answer.document.metadata.finalizers, rest);
      assert.notEqual(answer.document.metadata.deletionTimestamp, undefined);
    }
  });

  it(`${states}, Terminating, the last finalizer goes: Removed`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a", { finalizers: ["example.com/a"] });
    assertCode(await client.delete(configMapsPath(namespace, "a")), 200);
    const last = await setFinalizers(client, namespace, null);
    assertCode(last, 200);
    assert.equal(last.document.metadata.finalizers, undefined);
    assertCode(await client.get(configMapsPath(namespace, "a")), 404);
  });

  it(`${states}, rule 1: while it is Terminating, an object can be changed but not saved from deletion`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a", { finalizers: ["example.com/a"] });
    const { deletionTimestamp } = (await client.delete(configMapsPath(namespace, "a"))).document.metadata;
    const answer = await client.patch(configMapsPath(namespace, "a"), mergePatch, {
      metadata: { deletionTimestamp: null },
      data: { k: "v" },
    });
    assertCode(answer, 200);
    assert.equal(answer.document.metadata.deletionTimestamp, deletionTimestamp);
    assert.deepEqual(answer.document.data, { k: "v" });
  });

  it(`${states}, rule 1: no finalizer can be added once an object is Terminating`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a", { finalizers: ["example.com/a"] });
    assertCode(await client.delete(configMapsPath(namespace, "a")), 200);
    const message =
      'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/b"}';
    const cause = { reason: "FieldValueForbidden", message, field: "metadata.finalizers" };
    assertStatus(await setFinalizers(client, namespace, ["example.com/a", "example.com/b"]), {
      code: 422,
      reason: "Invalid",
      message: `ConfigMap "a" is invalid: metadata.finalizers: ${message}`,
      details: {
        name: "a",
        kind: "ConfigMap",
        // Once as any kind, and once as a ConfigMap.
        causes: [cause, cause],
      },
    });
  });

  it(`${states}, rule 2: finalizers go in any order`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a", { finalizers: ["example.com/a", "example.com/b"] });
    assertCode(await client.delete(configMapsPath(namespace, "a")), 200);
    assertCode(await setFinalizers(client, namespace, ["example.com/a"]), 200);
    assertCode(await setFinalizers(client, namespace, []), 200);
    assertCode(await client.get(configMapsPath(namespace, "a")), 404);
  });

  it(`${states}, rule 3: without finalizers an object is removed at once, and its uid told`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const { metadata } = await createConfigMap(client, namespace, "a");
    const answer = await client.delete(configMapsPath(namespace, "a"));
    assertCode(answer, 200);
    assert.equal(
      answer.text,
      `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"a","kind":"configmaps","uid":"${metadata.uid}"}}\n`,
    );
    const role = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`;
    const { uid } = (await client.post(role, { metadata: { name: "r" } })).document.metadata;
    assert.deepEqual((await client.delete(`${role}/r`)).document["details"], {
      name: "r",
      group: "rbac.authorization.k8s.io",
      kind: "roles",
      uid,
    });
  });

  it(`${states}, rule 4: a pod goes after its grace period, the sooner the shorter that is`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const pod = (name: string) => ({
      metadata: { name },
      spec: { nodeName: "n", containers: [{ name: "c", image: "i" }], terminationGracePeriodSeconds: 40 },
    });
    assertCode(await client.post(pods, pod("p")), 201);
    const first = (await client.delete(`${pods}/p`)).document.metadata;
    assert.equal(first.deletionGracePeriodSeconds, 40);
    const second = (await client.delete(`${pods}/p?gracePeriodSeconds=5`)).document.metadata;
    assert.equal(second.deletionGracePeriodSeconds, 5);
    assertCode(await client.delete(`${pods}/p?gracePeriodSeconds=0`), 200);
    assertCode(await client.get(`${pods}/p`), 404);
  });

  it(`${states}: preconditions of a deletion`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const { metadata } = await createConfigMap(client, namespace, "a");
    const path = configMapsPath(namespace, "a");
    assertStatus(await client.delete(path, { preconditions: { uid: "other" } }), {
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
      details: { name: "a", kind: "ConfigMap" },
    });
    assertStatus(await client.delete(path, { preconditions: { resourceVersion: "1" } }), {
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
      details: { name: "a", kind: "ConfigMap" },
    });
    // Both can be said in the query, too, which client libraries do not do.
    assertCode(await client.delete(`${path}?resourceVersion=1`), 409);
    assertCode(await client.delete(`${path}?uid=other`), 409);
    const { uid, resourceVersion } = metadata;
    assertCode(await client.delete(path, { preconditions: { uid, resourceVersion } }), 200);
  });

  it(`${states}: dependents go with their owner in the background, before it in the foreground, or stay as orphans`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const withDependent = async (policy: string): Promise<string> => {
      const name = policy.toLowerCase();
      const owner = await createConfigMap(client, namespace, `owner-${name}`);
      const reference = { apiVersion: "v1", kind: "ConfigMap", name: owner.metadata.name, uid: owner.metadata.uid };
      const dependent = {
        metadata: { name: `of-${name}`, ownerReferences: [{ ...reference, blockOwnerDeletion: true }] },
      };
      assertCode(await client.post(configMapsPath(namespace), dependent), 201);
      const query = `propagationPolicy=${policy}`;
      assertCode(await client.delete(configMapsPath(namespace, `owner-${name}`, query)), 200);
      return configMapsPath(namespace, `of-${name}`);
    };
    const gone = async (path: string): Promise<boolean> => (await client.get(path)).status === 404;

    const background = await withDependent("Background");
    assert.ok(await gone(configMapsPath(namespace, "owner-background")), "the owner goes at once");
    await until("the dependent is collected", () => gone(background));
    const foreground = await withDependent("Foreground");
    await until("the owner has gone", () => gone(configMapsPath(namespace, "owner-foreground")));
    assert.ok(await gone(foreground), "the dependent has gone before");
    const orphan = await withDependent("Orphan");
    await until("the owner has gone", () => gone(configMapsPath(namespace, "owner-orphan")));
    assert.deepEqual((await client.get(orphan)).document.metadata["ownerReferences"], undefined);
  });

  it(`${states}: a finalizer of a CustomResourceDefinition's own is no mistake`, async () => {
    const client = await serverWith();
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const group = `${(await freshNamespace(client)).replaceAll("-", "")}.example.com`;
    const created = await client.post(path, {
      metadata: { name: `things.${group}`, finalizers: ["customresourcecleanup.apiextensions.k8s.io"] },
      spec: {
        group,
        scope: "Namespaced",
        names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    assertCode(created, 201);
    assert.notEqual(versionOf(created.document), "");
  });
});

function setFinalizers(client: ApiClient, namespace: string, finalizers: readonly string[] | null) {
  return client.patch(configMapsPath(namespace, "a"), mergePatch, { metadata: { finalizers } });
}
