import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiClient } from "./support/api-client.js";
import { apply, entriesOf, ownedBy } from "./support/apply.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const rules = "Endpoints, Server-side apply rules";
const entry = "Resources and their fields, Managed-field entry";
const envelope = "Resources and their fields, Common object envelope";

const configMap = { apiVersion: "v1", kind: "ConfigMap" };

/** A client, and the path of a ConfigMap that does not exist yet. */
async function prepared(): Promise<{ readonly client: ApiClient; readonly path: string; readonly namespace: string }> {
  const client = await serverWith();
  const namespace = await freshNamespace(client);
  return { client, namespace, path: configMapsPath(namespace, "a") };
}

const withData = (data: Readonly<Record<string, string>>): object => ({ ...configMap, metadata: { name: "a" }, data });

function conflictWith(manager: string, ...fields: readonly string[]) {
  const causes = fields.map((field) => ({
    reason: "FieldManagerConflict",
    message: `conflict with "${manager}"`,
    field,
  }));
  const [field] = fields;
  return {
    code: 409,
    reason: "Conflict",
    message:
      fields.length === 1
        ? `Apply failed with 1 conflict: conflict with "${manager}": ${field}`
        : `Apply failed with ${fields.length} conflicts: conflicts with "${manager}":\n${fields.map((name) => `- ${name}`).join("\n")}`,
    details: { causes },
  };
}

describe(rules, { concurrency: 16 }, () => {
  it(`${rules}, 1: an apply patch names its manager and holds only the fields that it cares about`, async () => {
    const { client, path } = await prepared();
    assertStatus(await client.patch(path, "application/apply-patch+yaml", withData({})), {
      code: 422,
      reason: "Invalid",
      message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      details: {
        group: "meta.k8s.io",
        kind: "PatchOptions",
        causes: [
          {
            reason: "FieldValueRequired",
            message: "Required value: is required for apply patch",
            field: "fieldManager",
          },
        ],
      },
    });
    assertCode(await apply(client, path, "one", withData({ a: "1" })), 201);
    assertCode(await apply(client, path, "two", withData({ b: "2" })), 200);
    assert.deepEqual((await client.get(path)).document.data, { a: "1", b: "2" });
  });

  it(`${rules}, 2: what is missing is created with defaults, what exists is merged`, async () => {
    const { client, namespace } = await prepared();
    const path = `/api/v1/namespaces/${namespace}/services/s`;
    const service = (ports: readonly object[]) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s" },
      spec: { ports },
    });
    const created = await apply(client, path, "one", service([{ name: "a", port: 80 }]));
    assertCode(created, 201);
    const { type, ports } = created.document["spec"] as { readonly type: string; readonly ports: readonly object[] };
    assert.deepEqual([type, ports], ["ClusterIP", [{ name: "a", protocol: "TCP", port: 80, targetPort: 80 }]]);
    const merged = await apply(client, path, "two", service([{ name: "b", port: 81 }]));
    assertCode(merged, 200);
    const after = merged.document["spec"] as { readonly ports: readonly { readonly port: number }[] };
    assert.deepEqual(
      after.ports.map(({ port }) => port),
      [80, 81],
    );
  });

  it(`${rules}, 3: the body must not hold managedFields`, async () => {
    const { client, path } = await prepared();
    const body = { ...configMap, metadata: { name: "a", managedFields: [{ manager: "x" }] } };
    assertStatus(await apply(client, path, "one", body), {
      code: 400,
      reason: "BadRequest",
      message: "metadata.managedFields must be nil",
    });
  });

  it(`${rules}, 4: another value for a field of another manager is a conflict`, async () => {
    const { client, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1", b: "1" }));
    assertStatus(await apply(client, path, "two", withData({ a: "2" })), conflictWith("one", ".data.a"));
    assertStatus(
      await apply(client, path, "two", withData({ a: "2", b: "2" })),
      conflictWith("one", ".data.a", ".data.b"),
    );
    assert.deepEqual((await client.get(path)).document.data, { a: "1", b: "1" });
  });

  it("Errors, 409 Conflict: an apply patch with a conflict of ownership and no force", async () => {
    const { client, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1" }));
    assertStatus(
      await apply(client, path, "two", withData({ a: "2" }), "&force=false"),
      conflictWith("one", ".data.a"),
    );
  });

  it(`${rules}, 5: with force the value changes, and so does who owns it`, async () => {
    const { client, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1", b: "1" }));
    const { document } = await apply(client, path, "two", withData({ a: "2" }), "&force=true");
    assert.deepEqual(document.data, { a: "2", b: "1" });
    assert.deepEqual(ownedBy(document, "one"), { "f:data": { "f:b": {} } });
    assert.deepEqual(ownedBy(document, "two"), { "f:data": { "f:a": {} } });
  });

  it(`${rules}, 6: a conflict is resolved by force, by leaving the field out, or by the value that is there`, async () => {
    const { client, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1" }));
    await apply(client, path, "two", withData({ a: "1", b: "2" }));
    assertCode(await apply(client, path, "one", withData({ a: "changed" })), 409);
    const left = (await apply(client, path, "two", withData({ b: "2" }))).document;
    assert.deepEqual([left.data, ownedBy(left, "two")], [{ a: "1", b: "2" }, { "f:data": { "f:b": {} } }]);
    assertCode(await apply(client, path, "one", withData({ a: "changed" })), 200);
    const shared = (await apply(client, path, "two", withData({ a: "changed", b: "2" }))).document;
    assert.deepEqual(ownedBy(shared, "two"), { "f:data": { "f:a": {}, "f:b": {} } });
    assertCode(await apply(client, path, "two", withData({ a: "mine", b: "2" }), "&force=true"), 200);
  });

  it(`${rules}, 7: managers with the same value share it, and each change by one of them conflicts with the others`, async () => {
    const { client, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1" }));
    const { document } = await apply(client, path, "two", withData({ a: "1" }));
    assert.deepEqual(
      [ownedBy(document, "one"), ownedBy(document, "two")],
      [{ "f:data": { "f:a": {} } }, { "f:data": { "f:a": {} } }],
    );
    assertStatus(await apply(client, path, "one", withData({ a: "2" })), conflictWith("two", ".data.a"));
    assertStatus(await apply(client, path, "two", withData({ a: "2" })), conflictWith("one", ".data.a"));
  });

  it(`${rules}, 8: what its only owner leaves out goes, or gets its default again; what another owns stays`, async () => {
    const { client, namespace, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1", b: "1" }));
    await apply(client, path, "two", withData({ b: "1" }));
    assert.deepEqual((await apply(client, path, "one", withData({}))).document.data, { b: "1" });

    const service = `/api/v1/namespaces/${namespace}/services/s`;
    const withSpec = (spec: object) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s" },
      spec: { ports: [{ port: 80 }], ...spec },
    });
    await apply(client, service, "one", withSpec({ sessionAffinity: "ClientIP" }));
    const { document } = await apply(client, service, "one", withSpec({}));
    assert.equal((document["spec"] as { readonly sessionAffinity: string }).sessionAffinity, "None");
  });

  it(`${rules}, 9: updates and other patches never conflict, and take what they change`, async () => {
    const { client, path } = await prepared();
    const applied = (await apply(client, path, "one", withData({ a: "1", b: "1", c: "1" }))).document;
    const put = await client.put(`${path}?fieldManager=two`, { ...applied, data: { a: "2", b: "1", c: "1" } });
    assertCode(put, 200);
    const patched = await client.patch(`${path}?fieldManager=three`, "application/merge-patch+json", {
      data: { b: "3" },
    });
    assertCode(patched, 200);
    assert.deepEqual(ownedBy(patched.document, "one"), { "f:data": { "f:c": {} } });
    assert.deepEqual(ownedBy(patched.document, "two"), { "f:data": { "f:a": {} } });
    assert.deepEqual(ownedBy(patched.document, "three"), { "f:data": { "f:b": {} } });
  });

  it(`${rules}, 10: what would make the object invalid is refused`, async () => {
    const { client, path } = await prepared();
    assertStatus(await apply(client, path, "one", withData({ "not a key": "1" })), {
      code: 422,
      reason: "Invalid",
      message: `ConfigMap "a" is invalid: data[not a key]: Invalid value: "not a key": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
      details: {
        name: "a",
        kind: "ConfigMap",
        causes: [
          {
            reason: "FieldValueInvalid",
            message: `Invalid value: "not a key": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
            field: "data[not a key]",
          },
        ],
      },
    });
    assertCode(await client.get(path), 404);
  });

  it(`${rules}, 11: a list with one empty entry resets managedFields, an empty list does not`, async () => {
    const { client, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1", b: "1" }));
    const replace = (value: readonly object[], ...more: readonly object[]) =>
      client.patch(`${path}?fieldManager=two`, "application/json-patch+json", [
        { op: "replace", path: "/metadata/managedFields", value },
        ...more,
      ]);
    assert.deepEqual(ownedBy((await replace([])).document, "one"), { "f:data": { "f:a": {}, "f:b": {} } });
    const changed = await replace([{}], { op: "replace", path: "/data/a", value: "2" });
    assertCode(changed, 200);
    assert.equal(ownedBy(changed.document, "one"), undefined);
    assert.deepEqual(ownedBy(changed.document, "two"), { "f:data": { "f:a": {} } });
    assert.deepEqual(entriesOf((await replace([{}])).document), []);
  });

  it(`${rules}, 12: a change of a Scale is owned as a change of the replicas`, async () => {
    const { client, namespace } = await prepared();
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/d`;
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d" },
      spec: { replicas: 1, selector: { matchLabels: { a: "b" } }, template },
    };
    await apply(client, path, "one", deployment);
    const scale = { spec: { replicas: 2 } };
    assertCode(await client.patch(`${path}/scale?fieldManager=two`, "application/merge-patch+json", scale), 200);
    const { document } = await client.get(path);
    assert.deepEqual(ownedBy(document, "two"), { "f:spec": { "f:replicas": {} } });
    assert.equal(entriesOf(document).find(({ manager }) => manager === "two")?.subresource, "scale");
  });

  it(`${rules}, listType: of a set each item has its owners, an atomic list has them as a whole`, async () => {
    const { client, namespace, path } = await prepared();
    const withFinalizers = (...finalizers: readonly string[]) => ({
      ...configMap,
      metadata: { name: "a", finalizers },
    });
    await apply(client, path, "one", withFinalizers("example.com/a"));
    const { document } = await apply(client, path, "two", withFinalizers("example.com/b"));
    assert.deepEqual(document.metadata.finalizers, ["example.com/a", "example.com/b"]);
    assert.deepEqual(ownedBy(document, "two"), { "f:metadata": { "f:finalizers": { 'v:"example.com/b"': {} } } });
    await client.patch(path, "application/merge-patch+json", { metadata: { finalizers: null } });

    const pod = `/api/v1/namespaces/${namespace}/pods/p`;
    const withArgs = (...args: readonly string[]) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i", args }] },
    });
    await apply(client, pod, "one", withArgs("a", "b"));
    assertStatus(
      await apply(client, pod, "two", withArgs("a")),
      conflictWith("one", '.spec.containers[name="c"].args'),
    );
  });

  it(`${rules}, listMapKey: items are told apart by their keys`, async () => {
    const { client, namespace } = await prepared();
    const path = `/api/v1/namespaces/${namespace}/services/s`;
    const withPorts = (...ports: readonly object[]) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s" },
      spec: { ports },
    });
    await apply(client, path, "one", withPorts({ name: "a", port: 53, protocol: "TCP" }));
    const { document } = await apply(client, path, "two", withPorts({ name: "b", port: 53, protocol: "UDP" }));
    assert.deepEqual(ownedBy(document, "two"), {
      "f:spec": {
        "f:ports": { 'k:{"port":53,"protocol":"UDP"}': { ".": {}, "f:name": {}, "f:port": {}, "f:protocol": {} } },
      },
    });
    assert.deepEqual(ownedBy(document, "one"), {
      "f:spec": {
        "f:ports": { 'k:{"port":53,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {}, "f:protocol": {} } },
      },
    });
  });

  it(`${rules}, mapType: an atomic map is owned as a whole, a granular one key by key`, async () => {
    const { client, namespace, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1" }));
    assertCode(await apply(client, path, "two", withData({ b: "1" })), 200);
    const service = `/api/v1/namespaces/${namespace}/services/s`;
    const withSelector = (selector: object) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s" },
      spec: { ports: [{ port: 80 }], selector },
    });
    await apply(client, service, "one", withSelector({ a: "1" }));
    assertStatus(await apply(client, service, "two", withSelector({ b: "1" })), conflictWith("one", ".spec.selector"));
  });

  it(`${rules}, structType: an atomic struct is owned as a whole`, async () => {
    const { client, namespace } = await prepared();
    const path = `/api/v1/namespaces/${namespace}/pods/p`;
    const withKey = (key: string) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: {
        containers: [{ name: "c", image: "i", env: [{ name: "e", valueFrom: { secretKeyRef: { name: "s", key } } }] }],
      },
    });
    await apply(client, path, "one", withKey("a"));
    assertStatus(
      await apply(client, path, "two", withKey("b")),
      conflictWith("one", '.spec.containers[name="c"].env[name="e"].valueFrom.secretKeyRef'),
    );
  });
});

describe(entry, { concurrency: 16 }, () => {
  it(`${entry}, manager: named by the request, or by the beginning of its User-Agent`, async () => {
    const { client, path, namespace } = await prepared();
    await apply(client, path, "one", withData({ a: "1" }));
    const headers = { "user-agent": "tool-x/1.0 (linux)" };
    await client.post(configMapsPath(namespace), withData({ b: "1" }), headers);
    const posted = { ...configMap, metadata: { name: "b" }, data: {} };
    const answer = await client.post(configMapsPath(namespace), { ...posted, data: { k: "v" } }, headers);
    assertCode(answer, 201);
    assert.deepEqual(
      entriesOf((await client.get(path)).document).map(({ manager }) => manager),
      ["one"],
    );
    assert.deepEqual(
      entriesOf(answer.document).map(({ manager }) => manager),
      ["tool-x"],
    );
  });

  it(`${entry}, operation, apiVersion, fieldsType, fieldsV1: Apply or Update, the version of then, and a tree of fields`, async () => {
    const { client, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1" }));
    const patch = { data: { b: "2" } };
    const { document } = await client.patch(`${path}?fieldManager=two`, "application/merge-patch+json", patch);
    const [first, second] = entriesOf(document).map(({ time: _time, ...rest }) => rest);
    assert.deepEqual(first, {
      manager: "one",
      operation: "Apply",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:a": {} } },
    });
    assert.deepEqual(second, {
      manager: "two",
      operation: "Update",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:b": {} } },
    });
  });

  it(`${entry}, time: of the last change of what is owned`, async () => {
    const { client, path } = await prepared();
    const { document } = await apply(client, path, "one", withData({ a: "1" }));
    const [first] = entriesOf(document);
    assert.match(first?.time ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const again = (await apply(client, path, "one", withData({ a: "1" }))).document;
    assert.deepEqual(again, document, "an apply that changes nothing changes no time and makes no version");
  });

  it(`${envelope}, metadata.managedFields: maintained by the server, not taken from clients`, async () => {
    const { client, path } = await prepared();
    const applied = (await apply(client, path, "one", withData({ a: "1" }))).document;
    const { managedFields: _own, ...metadata } = applied.metadata;
    const put = await client.put(`${path}?fieldManager=two`, { ...applied, metadata, data: { a: "1", b: "2" } });
    assert.deepEqual(ownedBy(put.document, "one"), { "f:data": { "f:a": {} } });
    assert.deepEqual(ownedBy(put.document, "two"), { "f:data": { "f:b": {} } });
  });

  it(`What the service does, 9: apply tracks who owns which field`, async () => {
    const { client, path } = await prepared();
    await apply(client, path, "one", withData({ a: "1" }));
    const { document } = await apply(client, path, "two", withData({ b: "2" }));
    assert.deepEqual(
      [ownedBy(document, "one"), ownedBy(document, "two")],
      [{ "f:data": { "f:a": {} } }, { "f:data": { "f:b": {} } }],
    );
  });

  it("Endpoints, Media types, application/apply-patch+yaml: an apply patch in YAML or JSON", async () => {
    const { client, path } = await prepared();
    const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: '1'\n";
    const type = "application/apply-patch+yaml";
    assertCode(await client.patch(`${path}?fieldManager=one`, type, yaml), 201);
    const same = await client.patch(`${path}?fieldManager=one`, type, JSON.stringify(withData({ a: "1" })));
    assertCode(same, 200);
  });

  it("Endpoints, Patch semantics, apply-patch: creates what is missing, in one request", async () => {
    const { client, path } = await prepared();
    assertCode(await apply(client, path, "one", withData({ a: "1" }), "&dryRun=All"), 201);
    assertCode(await client.get(path), 404);
    assertCode(await apply(client, path, "one", withData({ a: "1" })), 201);
    assertCode(await apply(client, path, "one", withData({ a: "2" })), 200);
  });
});
