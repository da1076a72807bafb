import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { assertCode, assertStatus } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

async function prepare(): Promise<{ client: ApiClient; namespace: string }> {
  const client = await serverWith();
  return { client, namespace: await freshNamespace(client) };
}

const podsPath = (namespace: string, rest = "") => `/api/v1/namespaces/${namespace}/pods${rest}`;

/** A pod that runs on a node, as far as anybody knows. */
async function runPod(client: ApiClient, namespace: string, name: string): Promise<ApiDocument> {
  const created = await client.post(podsPath(namespace), {
    metadata: { name },
    spec: { containers: [{ name: "c", image: "i" }], nodeName: "node" },
  });
  assertCode(created, 201);
  return created.document;
}

describe("DELETE", { concurrency: true }, () => {
  it("a pod keeps its first deadline when it is deleted again, and can be hastened", async () => {
    const { client, namespace } = await prepare();
    await runPod(client, namespace, "p");
    const first = await client.delete(podsPath(namespace, "/p?gracePeriodSeconds=3600"));
    assertCode(first, 200);
    assert.equal(first.document.metadata.deletionGracePeriodSeconds, 3600);
    const again = await client.delete(podsPath(namespace, "/p"));
    assertCode(again, 200);
    assert.deepEqual(again.document.metadata, first.document.metadata);
    const hastened = await client.delete(podsPath(namespace, "/p?gracePeriodSeconds=600"));
    assert.equal(hastened.document.metadata.deletionGracePeriodSeconds, 600);
    assert.equal(
      Date.parse(hastened.document.metadata.deletionTimestamp ?? "") - 600_000,
      Date.parse(first.document.metadata.deletionTimestamp ?? "") - 3_600_000,
    );
  });

  it("a pod that goes at once is seen to be going first", async () => {
    const { client, namespace } = await prepare();
    const pod = await runPod(client, namespace, "p");
    using watch = await client.watch(podsPath(namespace, `?watch=1&resourceVersion=${pod.metadata.resourceVersion}`));
    const deleted = await client.delete(podsPath(namespace, "/p?gracePeriodSeconds=0"));
    assertCode(deleted, 200);
    assert.equal(deleted.document.metadata.deletionGracePeriodSeconds, 0);
    const [marked, gone] = await watch.take(2);
    assert.deepEqual([marked?.type, gone?.type], ["MODIFIED", "DELETED"]);
    assert.equal(marked?.object.metadata.deletionGracePeriodSeconds, 0);
    assert.deepEqual(gone?.object, deleted.document);
    assertCode(await client.get(podsPath(namespace, "/p")), 404);
  });

  it("a dry run shows the object as it would be left, and leaves it alone", async () => {
    const { client, namespace } = await prepare();
    await createConfigMap(client, namespace, "c", { finalizers: ["a/b"] });
    const dry = await client.delete(configMapsPath(namespace, "c", "dryRun=All"));
    assertCode(dry, 200);
    assert.equal(dry.document.metadata.deletionGracePeriodSeconds, 0);
    assert.ok(dry.document.metadata.deletionTimestamp);
    const { metadata } = (await client.get(configMapsPath(namespace, "c"))).document;
    assert.equal(metadata.deletionTimestamp, undefined);
  });

  it("whoever takes the last finalizer off gets the object as it leaves", async () => {
    const { client, namespace } = await prepare();
    await createConfigMap(client, namespace, "c", { finalizers: ["a/b"] });
    assertCode(await client.delete(configMapsPath(namespace, "c")), 200);
    const last = await client.patch(configMapsPath(namespace, "c"), "application/merge-patch+json", {
      metadata: { finalizers: null },
    });
    assertCode(last, 200);
    assert.equal(last.document.metadata.finalizers, undefined);
    assert.equal(last.document.metadata.name, "c");
    assertCode(await client.get(configMapsPath(namespace, "c")), 404);
  });

  it("nobody can make an object of the name while the old one is going", async () => {
    const { client, namespace } = await prepare();
    await createConfigMap(client, namespace, "c", { finalizers: ["a/b"] });
    await client.delete(configMapsPath(namespace, "c"));
    assertStatus(await client.post(configMapsPath(namespace), { metadata: { name: "c" } }), {
      code: 409,
      reason: "AlreadyExists",
      message: 'object is being deleted: configmaps "c" already exists',
      details: { name: "c", kind: "configmaps" },
    });
  });

  it("preconditions that do not hold are conflicts that name the kind", async () => {
    const { client, namespace } = await prepare();
    const { uid } = (await createConfigMap(client, namespace, "c")).metadata;
    assertStatus(await client.delete(configMapsPath(namespace, "c"), { preconditions: { uid: "other" } }), {
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on ConfigMap "c": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      details: { name: "c", kind: "ConfigMap" },
    });
  });

  it("preconditions of a namespace that do not hold are conflicts that name the resource", async () => {
    const { client, namespace } = await prepare();
    const path = `/api/v1/namespaces/${namespace}`;
    const { uid, resourceVersion } = (await client.get(path)).document.metadata;
    for (const [preconditions, what] of [
      [{ uid: "other" }, `UID in precondition: other, UID in object meta: ${uid}`],
      [
        { resourceVersion: "1" },
        `ResourceVersion in precondition: 1, ResourceVersion in object meta: ${resourceVersion}`,
      ],
    ] as const) {
      assertStatus(await client.delete(path, { preconditions }), {
        code: 409,
        reason: "Conflict",
        message: `Operation cannot be fulfilled on namespaces "${namespace}": Precondition failed: ${what}`,
        details: { name: namespace, kind: "namespaces" },
      });
    }
  });

  it("options that cannot be read or do not go together are refused", async () => {
    const { client, namespace } = await prepare();
    await createConfigMap(client, namespace, "c");
    const path = configMapsPath(namespace, "c");
    assertStatus(await client.delete(`${path}?gracePeriodSeconds=soon`), {
      code: 400,
      reason: "BadRequest",
      message: 'strconv.ParseInt: parsing "soon": invalid syntax',
    });
    assertStatus(await client.delete(`${path}?propagationPolicy=Sideways&orphanDependents=true`), {
      code: 422,
      reason: "Invalid",
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: [propagationPolicy: Invalid value: "Sideways": orphanDependents and deletionPropagation cannot be both set, propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"]',
      details: {
        group: "meta.k8s.io",
        kind: "DeleteOptions",
        causes: [
          {
            reason: "FieldValueInvalid",
            message: 'Invalid value: "Sideways": orphanDependents and deletionPropagation cannot be both set',
            field: "propagationPolicy",
          },
          {
            reason: "FieldValueNotSupported",
            message: 'Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
            field: "propagationPolicy",
          },
        ],
      },
    });
    const unknownType = await client.request("DELETE", path, { body: "{}", headers: { "content-type": "text/x" } });
    assert.equal(unknownType.document.reason, "UnsupportedMediaType");
    assertCode(await client.get(path), 200);
  });

  it("options of the query count when they have no value, and may name a uid", async () => {
    const { client, namespace } = await prepare();
    await createConfigMap(client, namespace, "c");
    const path = configMapsPath(namespace, "c");
    const emptyPolicy = await client.delete(`${path}?propagationPolicy=`);
    assert.equal(
      emptyPolicy.document.message,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"',
    );
    assert.match(
      (await client.delete(`${path}?uid=x`)).document.message ?? "",
      /the UID in the precondition \(x\) does not match the UID in record/,
    );
    const orphaning = await client.delete(`${path}?dryRun=All&orphanDependents=`);
    assert.deepEqual(orphaning.document.metadata.finalizers, ["orphan"]);
  });

  it("what is no options is told as v1.29 tells it: what it can read, and what it does not know", async () => {
    const { client, namespace } = await prepare();
    const path = configMapsPath(namespace, "c");
    const unknown = 'in scheme "pkg/runtime/scheme.go:100"';
    for (const [apiVersion, kind, message] of [
      ["apps/v1", "Status", "converting (v1.Status) to (v1.DeleteOptions): unknown conversion"],
      [
        "meta.k8s.io/v1beta1",
        "PartialObjectMetadataList",
        "converting (v1beta1.PartialObjectMetadataList) to (v1.DeleteOptions): unknown conversion",
      ],
      ["v1", "ListOptions", `no kind "ListOptions" is registered for version "v1" ${unknown}`],
      ["v1", "constructor", `no kind "constructor" is registered for version "v1" ${unknown}`],
    ] as const) {
      assertStatus(await client.delete(path, { apiVersion, kind }), { code: 400, reason: "BadRequest", message });
    }
  });

  it("what is wrong with a request is told before what no object can be called", async () => {
    const { client, namespace } = await prepare();
    const path = configMapsPath(namespace, "%2E%2E");
    const invalidName = "Name parameter invalid: \"..\": may not be '..'";
    assert.equal((await client.get(path)).document.message, invalidName);
    assert.equal((await client.delete(path)).document.message, invalidName);
    assert.equal((await client.delete(`${path}?dryRun=x`)).status, 422);
    assert.equal(
      (await client.put(path, { metadata: { name: "c" } })).document.message,
      "the name of the object (c) does not match the name on the URL (..)",
    );
  });
});
