import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace, namesOf } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "Dry-run";

/** Returns an object without the times of its field owners: a write in a later second than the creation tells its own. */
function withoutOwnerTimes(object: object): unknown {
  return JSON.parse(JSON.stringify(object), (key, value) => (key === "time" ? undefined : value));
}

describe(section, { concurrency: 16 }, () => {
  it(`${section}, POST: the object that would be stored, with the normal status code, and none is`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const pod = { metadata: { generateName: "p-" }, spec: { containers: [{ name: "c", image: "i" }] } };
    const answer = await client.post(`${pods}?dryRun=All`, pod);
    assertCode(answer, 201);
    const { metadata, spec } = answer.document as unknown as {
      metadata: Record<string, string>;
      spec: { restartPolicy: string };
    };
    assert.match(String(metadata["name"]), /^p-[a-z0-9]{5}$/);
    assert.match(String(metadata["uid"]), /^[0-9a-f-]{36}$/);
    assert.notEqual(metadata["creationTimestamp"], undefined);
    assert.equal(metadata["resourceVersion"], undefined);
    assert.equal(spec.restartPolicy, "Always", "with its defaults");
    assert.deepEqual(namesOf((await client.get(pods)).document), []);
  });

  it(`${section}, POST: what cannot be created is refused as ever`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const path = configMapsPath(namespace, "", "dryRun=All");
    assertCode(await client.post(path, { metadata: { name: "a" } }), 409);
    assertCode(await client.post(path, { metadata: { name: "Not a name" } }), 422);
    assertCode(await client.post(configMapsPath("nowhere", "", "dryRun=All"), { metadata: { name: "a" } }), 404);
  });

  it(`${section}, PUT: the object as it would be, and it is as before`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const before = await createConfigMap(client, namespace, "a", { data: { k: "1" } });
    const path = configMapsPath(namespace, "a", "dryRun=All");
    const answer = await client.put(path, { ...before, data: { k: "2" } });
    assertCode(answer, 200);
    assert.deepEqual(withoutOwnerTimes(answer.document), withoutOwnerTimes({ ...before, data: { k: "2" } }));
    assert.deepEqual((await client.get(configMapsPath(namespace, "a"))).document, before);
    const stale = { ...before, metadata: { ...before.metadata, resourceVersion: "1" } };
    assertCode(await client.put(path, stale), 409);
  });

  for (const [mediaType, patch] of [
    ["application/json-patch+json", [{ op: "replace", path: "/data/k", value: "2" }]],
    ["application/merge-patch+json", { data: { k: "2" } }],
    ["application/strategic-merge-patch+json", { data: { k: "2" } }],
  ] as const) {
    it(`${section}, PATCH with ${mediaType}: merged, and not stored`, async () => {
      const client = await serverWith();
      const namespace = await freshNamespace(client);
      const before = await createConfigMap(client, namespace, "a", { data: { k: "1" } });
      const answer = await client.patch(configMapsPath(namespace, "a", "dryRun=All"), mediaType, patch);
      assertCode(answer, 200);
      assert.deepEqual(withoutOwnerTimes(answer.document), withoutOwnerTimes({ ...before, data: { k: "2" } }));
      assert.deepEqual((await client.get(configMapsPath(namespace, "a"))).document, before);
    });
  }

  it(`${section}, DELETE: answered as ever, by query or body, and the object stays`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const before = await createConfigMap(client, namespace, "a");
    const byQuery = await client.delete(configMapsPath(namespace, "a", "dryRun=All"));
    assertCode(byQuery, 200);
    assert.deepEqual(byQuery.document["status"], "Success");
    assertCode(await client.delete(configMapsPath(namespace, "a"), { dryRun: ["All"] }), 200);
    assertCode(await client.delete(configMapsPath(namespace, "", "dryRun=All")), 200);
    assert.deepEqual((await client.get(configMapsPath(namespace, "a"))).document, before);
    assertCode(await client.delete(configMapsPath(namespace, "none", "dryRun=All")), 404);
  });

  it(`${section}: no event reaches a watch`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"));
    assert.equal((await watch.next()).type, "ADDED");
    await client.patch(configMapsPath(namespace, "a", "dryRun=All"), "application/merge-patch+json", {
      data: { k: "v" },
    });
    await client.delete(configMapsPath(namespace, "a", "dryRun=All"));
    await createConfigMap(client, namespace, "b");
    assert.equal((await watch.next()).object.metadata.name, "b");
  });

  it(`${section}: schema validation happens`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const path = configMapsPath(namespace, "", "dryRun=All&fieldValidation=Strict");
    assertStatus(await client.post(path, { metadata: { name: "a" }, foo: 1 }), {
      code: 400,
      reason: "BadRequest",
      message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo"',
    });
  });
});
