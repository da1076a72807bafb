import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode, assertStatus, goJson } from "./support/assert-status.js";
import { changeConfigMap, configMapsPath, createConfigMap, freshNamespace, versionOf } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const table = "Resources and their fields, Common object envelope";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe(table, { concurrency: 16 }, () => {
  it(`${table}: the wire form, member by member`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const answer = await client.post(configMapsPath(namespace), {
      data: { k: "v" },
      metadata: { labels: { l: "1" }, name: "a", annotations: { a: "<&>" }, finalizers: ["example.com/f"] },
      kind: "ConfigMap",
      apiVersion: "v1",
    });
    assertCode(answer, 201);
    const { uid, resourceVersion, creationTimestamp, managedFields } = answer.document.metadata;
    const expected = {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "a",
        namespace,
        uid,
        resourceVersion,
        creationTimestamp,
        labels: { l: "1" },
        annotations: { a: "<&>" },
        finalizers: ["example.com/f"],
        managedFields,
      },
      data: { k: "v" },
    };
    assert.equal(answer.text, `${goJson(expected)}\n`);
  });

  it(`${table}, apiVersion and kind: version alone in the core group, group and version otherwise`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const configMap = await createConfigMap(client, namespace, "a");
    assert.deepEqual([configMap.apiVersion, configMap.kind], ["v1", "ConfigMap"]);
    const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`;
    const role = (await client.post(roles, { metadata: { name: "a" } })).document;
    assert.deepEqual([role.apiVersion, role.kind], ["rbac.authorization.k8s.io/v1", "Role"]);
    const list = (await client.get(roles)).document;
    assert.deepEqual([list.apiVersion, list.kind], ["rbac.authorization.k8s.io/v1", "RoleList"]);
    assert.deepEqual([list.items[0]?.apiVersion, list.items[0]?.kind], [undefined, undefined]);
  });

  it(`${table}, metadata.name: names that no path could hold are refused`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const detail =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    const message = `Invalid value: "Bad_Name": ${detail}`;
    assertStatus(await client.post(configMapsPath(namespace), { metadata: { name: "Bad_Name" } }), {
      code: 422,
      reason: "Invalid",
      message: `ConfigMap "Bad_Name" is invalid: metadata.name: ${message}`,
      details: {
        name: "Bad_Name",
        kind: "ConfigMap",
        causes: [{ reason: "FieldValueInvalid", message, field: "metadata.name" }],
      },
    });
  });

  it(`${table}, metadata.generateName: the server makes a unique random name of it`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const names = new Set<string>();
    for (let count = 0; count < 20; count++) {
      const { document } = await client.post(configMapsPath(namespace), { metadata: { generateName: "made-" } });
      assert.match(String(document.metadata.name), /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      assert.equal(document.metadata.generateName, "made-");
      names.add(String(document.metadata.name));
    }
    assert.equal(names.size, 20);
  });

  it(`${table}, metadata.generateName: counts for nothing beside a name, and is cut to leave room for the rest`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const both = { metadata: { name: "a", generateName: "b-" } };
    assert.equal((await client.post(configMapsPath(namespace), both)).document.metadata.name, "a");
    const long = { metadata: { generateName: "x".repeat(100) } };
    const { name } = (await client.post(configMapsPath(namespace), long)).document.metadata;
    assert.match(String(name), /^x{58}[a-z0-9]{5}$/);
  });

  it(`${table}, metadata.namespace: that of the path, whether the body says so or not`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    assert.equal((await createConfigMap(client, namespace, "a")).metadata.namespace, namespace);
    assertStatus(await client.post(configMapsPath(namespace), { metadata: { name: "b", namespace: "other" } }), {
      code: 400,
      reason: "BadRequest",
      message: "the namespace of the provided object does not match the namespace sent on the request",
    });
    const node = await client.post("/api/v1/nodes?dryRun=All", { metadata: { name: "n", namespace: "default" } });
    assertCode(node, 201);
    assert.equal(node.document.metadata.namespace, undefined, "a cluster-scoped object has none");
  });

  it(`${table}, metadata.uid: random, unique, given by the server and never changed`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const wanted = { metadata: { name: "a", uid: "mine" } };
    const { document } = await client.post(configMapsPath(namespace), wanted);
    assert.match(String(document.metadata.uid), uuid);
    const changed = await changeConfigMap(client, namespace, "a", { k: "v" });
    assert.equal(changed.metadata.uid, document.metadata.uid);
    const other = { ...document, metadata: { ...document.metadata, uid: "other", resourceVersion: undefined } };
    assertStatus(await client.put(configMapsPath(namespace, "a"), other), {
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/${namespace}/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${document.metadata.uid}`,
      details: { name: "a", kind: "configmaps" },
    });
  });

  it(`${table}, metadata.resourceVersion: the version of the last change, and none before there is one`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a");
    const changed = await changeConfigMap(client, namespace, "a", { k: "v" });
    assert.notEqual(versionOf(changed), versionOf(created));
    await createConfigMap(client, namespace, "b");
    assert.equal(versionOf((await client.get(configMapsPath(namespace, "a"))).document), versionOf(changed));
    const answer = await client.post(configMapsPath(namespace), { metadata: { name: "c", resourceVersion: "1" } });
    assertCode(answer, 400);
    assert.equal(answer.document.reason, "BadRequest");
    assert.equal(answer.document.message, "resourceVersion should not be set on objects to be created");
  });

  it(`${table}, metadata.resourceVersion: a write that changes nothing makes no new version`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a", { data: { k: "v" } });
    const same = await client.put(configMapsPath(namespace, "a"), created);
    assertCode(same, 200);
    assert.deepEqual(same.document, created);
  });

  it(`${table}, metadata.creationTimestamp: set by the server`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const wanted = { metadata: { name: "a", creationTimestamp: "2001-01-01T00:00:00Z" } };
    const { document } = await client.post(configMapsPath(namespace), wanted);
    const { creationTimestamp } = document.metadata;
    assert.match(String(creationTimestamp), timestamp);
    assert.notEqual(creationTimestamp, "2001-01-01T00:00:00Z");
    const changed = { ...document, metadata: { ...document.metadata, creationTimestamp: "2001-01-01T00:00:00Z" } };
    const answer = await client.put(configMapsPath(namespace, "a"), changed);
    assert.equal(answer.document.metadata.creationTimestamp, creationTimestamp);
  });

  it(`${table}, metadata.deletionTimestamp: set when deletion is first requested, by nobody else`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const wanted = { name: "a", finalizers: ["example.com/hold"], deletionTimestamp: "2001-01-01T00:00:00Z" };
    const { document } = await client.post(configMapsPath(namespace), { metadata: wanted });
    assert.equal(document.metadata.deletionTimestamp, undefined);
    const first = (await client.delete(configMapsPath(namespace, "a"))).document.metadata;
    assert.match(String(first.deletionTimestamp), timestamp);
    assert.equal(first.deletionGracePeriodSeconds, 0);
    const second = (await client.delete(configMapsPath(namespace, "a"))).document.metadata;
    assert.deepEqual(second, first, "a second request changes nothing");
  });

  it(`${table}, metadata.finalizers: a shared list that anybody may reorder`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a", { finalizers: ["example.com/a", "example.com/b"] });
    const answer = await client.patch(configMapsPath(namespace, "a"), "application/merge-patch+json", {
      metadata: { finalizers: ["example.com/b", "example.com/a"] },
    });
    assertCode(answer, 200);
    assert.deepEqual(answer.document.metadata.finalizers, ["example.com/b", "example.com/a"]);
  });

  it(`${table}, metadata.labels and annotations: string maps, checked`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const metadata = { name: "a", labels: { "example.com/x": "1", y: "" }, annotations: { any: "Any text: ✓" } };
    const { document } = await client.post(configMapsPath(namespace), { metadata });
    assert.deepEqual(document.metadata.labels, metadata.labels);
    assert.deepEqual(document.metadata.annotations, metadata.annotations);
    const listed = (await client.get(configMapsPath(namespace))).document.items[0]?.metadata;
    assert.deepEqual([listed?.labels, listed?.annotations], [metadata.labels, metadata.annotations]);

    const message =
      "Invalid value: \"not a label!\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    const bad = await client.post(configMapsPath(namespace), {
      metadata: { name: "b", labels: { x: "not a label!" } },
    });
    assertStatus(bad, {
      code: 422,
      reason: "Invalid",
      message: `ConfigMap "b" is invalid: metadata.labels: ${message}`,
      details: {
        name: "b",
        kind: "ConfigMap",
        causes: [{ reason: "FieldValueInvalid", message, field: "metadata.labels" }],
      },
    });
  });
});

describe("Resource version rules", { concurrency: 16 }, () => {
  const rules = "Resources and their fields, Resource version rules";

  it(`${rules}, 1: a version is an opaque string that is sent back as it came`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a");
    assert.equal(typeof created.metadata.resourceVersion, "string");
    const answer = await client.put(configMapsPath(namespace, "a"), { ...created, data: { k: "v" } });
    assertCode(answer, 200);
    assert.notEqual(versionOf(answer.document), versionOf(created));
  });

  it(`${rules}, 2: an object's version is that of its last change, wherever it is read`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const written = versionOf(await createConfigMap(client, namespace, "a"));
    await createConfigMap(client, namespace, "b");
    assert.equal(versionOf((await client.get(configMapsPath(namespace, "a"))).document), written);
    const list = (await client.get(configMapsPath(namespace))).document;
    assert.equal(list.items[0]?.metadata.resourceVersion, written);
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"));
    assert.equal(versionOf((await watch.next()).object), written);
  });

  it(`${rules}, 3: a collection's version is that of the moment it was built`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const item = await createConfigMap(client, namespace, "a");
    const other = await freshNamespace(client);
    const elsewhere = await createConfigMap(client, other, "a");
    const list = (await client.get(configMapsPath(namespace))).document;
    assert.ok(Number(versionOf(list)) >= Number(versionOf(elsewhere)));
    assert.equal(list.items[0]?.metadata.resourceVersion, versionOf(item));
  });
});
