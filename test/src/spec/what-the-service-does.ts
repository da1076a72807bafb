import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { assertCode, assertStatus } from "./support/assert-status.js";
import {
  changeConfigMap,
  configMapsPath,
  createConfigMap,
  deleteConfigMap,
  freshNamespace,
  namesOf,
  versionOf,
} from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "What the service does";

describe(section, { concurrency: 16 }, () => {
  it(`${section}, 1: cluster state is objects addressed by path and served over HTTP`, async () => {
    const client = await serverWith();
    const answer = await client.get("/api/v1/namespaces/kube-system");
    assertCode(answer, 200);
    assert.equal(answer.headers["content-type"], "application/json");
    assert.deepEqual(
      [answer.document.kind, answer.document.apiVersion, answer.document.metadata.name],
      ["Namespace", "v1", "kube-system"],
    );
  });

  it(`${section}, 2: objects are read, created, replaced, patched and deleted with GET, POST, PUT, PATCH and DELETE`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const path = configMapsPath(namespace, "a");
    const created = await client.post(configMapsPath(namespace), { metadata: { name: "a" }, data: { k: "1" } });
    assertCode(created, 201);
    assert.deepEqual((await client.get(path)).document, created.document);
    const replaced = await client.put(path, { ...created.document, data: { k: "2" } });
    assertCode(replaced, 200);
    assert.deepEqual(replaced.document.data, { k: "2" });
    const patched = await client.patch(path, "application/merge-patch+json", { data: { l: "3" } });
    assertCode(patched, 200);
    assert.deepEqual(patched.document.data, { k: "2", l: "3" });
    assertCode(await client.delete(path), 200);
    assertCode(await client.get(path), 404);
  });

  it(`${section}, 3: a subresource is a path below one object, with a representation of its own`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const collection = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const deployment = {
      metadata: { name: "d" },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: "d" } },
        template: { metadata: { labels: { app: "d" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    };
    const created = await client.post(collection, deployment);
    assertCode(created, 201);
    const scale = await client.get(`${collection}/d/scale`);
    assertCode(scale, 200);
    const { name, uid, resourceVersion, creationTimestamp } = created.document.metadata;
    assert.deepEqual(scale.document, {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: { replicas: 3 },
      status: { replicas: 0, selector: "app=d" },
    });
    const scaled = await client.put(`${collection}/d/scale`, { ...scale.document, spec: { replicas: 5 } });
    assertCode(scaled, 200);
    const { spec } = (await client.get(`${collection}/d`)).document as { spec?: { replicas?: number } };
    assert.equal(spec?.replicas, 5);
  });

  it(`${section}, 4: a watch from the version of a list tells every change since`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const version = versionOf((await client.get(configMapsPath(namespace))).document);
    await changeConfigMap(client, namespace, "a", { k: "v" });
    await createConfigMap(client, namespace, "b");
    using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${version}`));
    const events = await watch.take(2);
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.metadata.name]),
      [
        ["MODIFIED", "a"],
        ["ADDED", "b"],
      ],
    );
  });

  it(`${section}, 5: a list in chunks is consistent over writes in between`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b", "c"]) {
      await createConfigMap(client, namespace, name);
    }
    const first = (await client.get(configMapsPath(namespace, "", "limit=2"))).document;
    await deleteConfigMap(client, namespace, "c");
    const rest = await client.get(configMapsPath(namespace, "", `limit=2&continue=${first.metadata.continue}`));
    assert.deepEqual([...namesOf(first), ...namesOf(rest.document)], ["a", "b", "c"]);
  });

  it(`${section}, 6: an answer is JSON, protobuf or a table`, async () => {
    const client = await serverWith();
    const path = "/api/v1/namespaces/default";
    assert.equal((await client.get(path)).document.kind, "Namespace");
    const protobuf = await client.get(path, { accept: "application/vnd.kubernetes.protobuf" });
    assert.equal(protobuf.bytes.subarray(0, 4).toString("latin1"), "k8s\0");
    const table = await client.get(path, { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" });
    assert.equal(table.document.kind, "Table");
  });

  it(`${section}, 7: a change may be tried without being made`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const tried = await client.post(configMapsPath(namespace, "", "dryRun=All"), { metadata: { name: "a" } });
    assertCode(tried, 201);
    assertCode(await client.get(configMapsPath(namespace, "a")), 404);
  });

  it(`${section}, 8: how unknown fields are handled is the client's choice`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const body = { metadata: { name: "a" }, unknown: 1 };
    for (const [level, code, warned] of [
      ["Ignore", 201, false],
      ["Warn", 201, true],
      ["Strict", 400, false],
    ] as const) {
      const answer = await client.post(configMapsPath(namespace, "", `dryRun=All&fieldValidation=${level}`), body);
      assertCode(answer, code);
      assert.equal(answer.headers["warning"] !== undefined, warned, level);
    }
  });

  it(`${section}, 10: deletion is finalization, then removal`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a", { finalizers: ["example.com/hold"] });
    const deleting = await client.delete(configMapsPath(namespace, "a"));
    assertCode(deleting, 200);
    assert.notEqual(deleting.document.metadata.deletionTimestamp, undefined);
    const patch = { metadata: { finalizers: null } };
    assertCode(await client.patch(configMapsPath(namespace, "a"), "application/merge-patch+json", patch), 200);
    assertCode(await client.get(configMapsPath(namespace, "a")), 404);
  });

  it(`${section}, 12: an operation takes one object, never a list of them`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const items = [{ metadata: { name: "a" } }, { metadata: { name: "b" } }];
    const answer = await client.post(configMapsPath(namespace), { kind: "ConfigMapList", apiVersion: "v1", items });
    assertStatus(answer, {
      code: 400,
      reason: "BadRequest",
      message:
        'ConfigMapList in version "v1" cannot be handled as a ConfigMap: converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion',
    });
    assert.deepEqual(namesOf((await client.get(configMapsPath(namespace))).document), []);
  });

  it(`${section}, 12: list and watch return many objects, deletecollection removes many`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b", "c"]) {
      await createConfigMap(client, namespace, name);
    }
    assert.deepEqual(namesOf((await client.get(configMapsPath(namespace))).document), ["a", "b", "c"]);
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"));
    assert.equal((await watch.take(3)).length, 3);
    const deleted = await client.delete(configMapsPath(namespace));
    assertCode(deleted, 200);
    assert.equal(deleted.document.kind, "ConfigMapList");
    assert.deepEqual(namesOf(deleted.document), ["a", "b", "c"]);
    assert.deepEqual(namesOf((await client.get(configMapsPath(namespace))).document), []);
  });

  it(`${section}, 11: hook and configuration types have envelopes of their own`, () => {
    for (const [group, version, kind] of [
      ["admission.k8s.io", "v1", "AdmissionReview"],
      ["audit.k8s.io", "v1", "Event"],
      ["audit.k8s.io", "v1", "Policy"],
      ["imagepolicy.k8s.io", "v1alpha1", "ImageReview"],
    ] as const) {
      assert.equal(kindSchema(group, version, kind)?.kind, kind);
    }
  });
});
