import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertCode, assertStatus } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

async function prepare(): Promise<{ client: ApiClient; namespace: string }> {
  const client = await serverWith();
  return { client, namespace: await freshNamespace(client) };
}

const mergePatch = "application/merge-patch+json";

describe("What writes say of names, versions and uids", { concurrency: true }, () => {
  it("PUT needs the name in the body, and it must be that of the path", async () => {
    const { client, namespace } = await prepare();
    await createConfigMap(client, namespace, "a");
    const path = configMapsPath(namespace, "a");
    assertStatus(await client.put(path, { metadata: {} }), {
      code: 400,
      reason: "BadRequest",
      message: "the name of the object (a based on URL) was undeterminable: name must be provided",
    });
    assertStatus(await client.put(path, { metadata: { name: "b" } }), {
      code: 400,
      reason: "BadRequest",
      message: "the name of the object (b) does not match the name on the URL (a)",
    });
    assertStatus(await client.patch(path, mergePatch, { metadata: { name: null } }), {
      code: 400,
      reason: "BadRequest",
      message: "the name of the object (a based on URL) was undeterminable: name must be provided",
    });
  });

  it("a patch may take the namespace away, and gets it back", async () => {
    const { client, namespace } = await prepare();
    await createConfigMap(client, namespace, "a");
    const patched = await client.patch(configMapsPath(namespace, "a"), mergePatch, {
      metadata: { namespace: null, labels: { k: "v" } },
    });
    assertCode(patched, 200);
    assert.equal(patched.document.metadata.namespace, namespace);
  });

  it("what is in no namespace loses what it says of one", async () => {
    const { client, namespace } = await prepare();
    const created = await client.post("/api/v1/namespaces", {
      metadata: { name: `${namespace}-x`, namespace: "default" },
    });
    assertCode(created, 201);
    assert.equal(created.document.metadata.namespace, undefined);
  });

  it("POST of an object that was read somewhere is refused in the words of v1.29", async () => {
    const { client, namespace } = await prepare();
    const answer = await client.post(configMapsPath(namespace), { metadata: { name: "a", resourceVersion: "7" } });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.document, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "resourceVersion should not be set on objects to be created",
      reason: "BadRequest",
      code: 400,
    });
    for (const resourceVersion of ["0", "-1", ""]) {
      const query = resourceVersion === "0" ? "" : "dryRun=All";
      const path = configMapsPath(namespace, "", query);
      assertCode(await client.post(path, { metadata: { name: "b", resourceVersion } }), query === "" ? 201 : 409);
    }
  });

  it("an update that creates its object has a version that is a number, if any", async () => {
    const { client, namespace } = await prepare();
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/a`;
    const lease = (resourceVersion: string): object => ({ metadata: { name: "a", resourceVersion }, spec: {} });
    assertCode(await client.put(path, lease("x")), 400);
    assertCode(await client.get(path), 404);
    assertCode(await client.put(path, lease("1")), 201);
  });

  it("a name that is missing is one error among others", async () => {
    const { client, namespace } = await prepare();
    const answer = await client.post(configMapsPath(namespace), { metadata: { labels: { "!": "v" } } });
    assertCode(answer, 422);
    assert.match(answer.text, /metadata\.name: Required value: name or generateName is required, metadata\.labels: /);
  });

  it("a uid that is not the object's is a conflict in PUT, and cannot be patched", async () => {
    const { client, namespace } = await prepare();
    const { uid } = (await createConfigMap(client, namespace, "a")).metadata;
    const path = configMapsPath(namespace, "a");
    assertStatus(await client.put(path, { metadata: { name: "a", uid: "other" } }), {
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/${namespace}/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
      details: { name: "a", kind: "configmaps" },
    });
    const patched = await client.patch(path, mergePatch, { metadata: { uid: "other" } });
    assertCode(patched, 422);
    assert.match(patched.document.message ?? "", /metadata\.uid: Invalid value: "other": field is immutable/);
  });

  it("a dry run tells keys without what they begin with, and shows the link that it was sent", async () => {
    const { client, namespace } = await prepare();
    const { uid } = (await createConfigMap(client, namespace, "a")).metadata;
    const path = `${configMapsPath(namespace, "a")}?dryRun=All`;
    const refused = await client.put(path, { metadata: { name: "a", uid: "other" } });
    assertCode(refused, 409);
    assert.equal(
      refused.document.message,
      `Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /configmaps/${namespace}/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
    );
    const tried = await client.patch(path, mergePatch, { metadata: { selfLink: "/a" } });
    assertCode(tried, 200);
    assert.ok(tried.text.includes(`"namespace":"${namespace}","selfLink":"/a","uid":"${uid}"`), tried.text);
    const stored = await client.patch(configMapsPath(namespace, "a"), mergePatch, { metadata: { selfLink: "/a" } });
    assert.equal(stored.document.metadata.selfLink, undefined);
  });

  it("a new pod keeps the class that its creator says it has, and nothing else of its status", async () => {
    const { client, namespace } = await prepare();
    const spec = { containers: [{ name: "c", image: "nginx" }] };
    const status = { qosClass: "Guaranteed", phase: "Running", podIP: "1.2.3.4" };
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const created = await client.post(pods, { metadata: { name: "a" }, spec, status });
    assertCode(created, 201);
    assert.deepEqual(created.document.status, { phase: "Pending", qosClass: "Guaranteed" });
  });

  it("members of YAML are read in the order of their names, which decides what is told first", async () => {
    const { client, namespace } = await prepare();
    const body = "metadata: {name: true}\ndata: {a: 1}\n";
    const headers = { "Content-Type": "application/yaml" };
    const answer = await client.request("POST", configMapsPath(namespace), { body, headers });
    assertCode(answer, 400);
    assert.equal(
      answer.document.message,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    );
  });

  it("nobody but a deletion sets when an object goes", async () => {
    const { client, namespace } = await prepare();
    await createConfigMap(client, namespace, "a");
    const answer = await client.put(configMapsPath(namespace, "a"), {
      metadata: { name: "a", deletionTimestamp: "2024-01-01T00:00:00Z" },
    });
    assertCode(answer, 422);
    assert.match(answer.document.message ?? "", /metadata\.deletionTimestamp: Invalid value: .*: field is immutable/);
  });

  it("owner references that say the same twice are made one, with a warning", async () => {
    const { client, namespace } = await prepare();
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u" };
    const created = await client.post(configMapsPath(namespace), {
      metadata: { name: "a", ownerReferences: [owner, owner, { ...owner, name: "p" }] },
    });
    assertCode(created, 201);
    assert.deepEqual(created.document.metadata["ownerReferences"], [owner, { ...owner, name: "p" }]);
    assert.equal(
      created.headers["warning"],
      '299 - ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u"',
    );
  });

  it("a name that its generator cannot have again says so, whoever has chosen it", async () => {
    const { client, namespace } = await prepare();
    await createConfigMap(client, namespace, "a-1");
    const answer = await client.post(configMapsPath(namespace), { metadata: { name: "a-1", generateName: "a-" } });
    assertCode(answer, 409);
    assert.match(answer.document.message ?? "", /the server was not able to generate a unique name for the object$/);
    assert.equal(answer.headers["retry-after"], "1");
  });

  it("a version that nobody knows the kind in is told from one that does not fit the path", async () => {
    const { client, namespace } = await prepare();
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const unknown = await client.post(path, { apiVersion: "apps/v9", kind: "Deployment" });
    assert.equal(
      unknown.document.message,
      'Deployment in version "v9" cannot be handled as a Deployment: no kind "Deployment" is registered for version "apps/v9" in scheme "pkg/runtime/scheme.go:100"',
    );
    const other = await client.post(path, { apiVersion: "apps/v1beta1", kind: "Deployment" });
    assert.equal(
      other.document.message,
      "the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)",
    );
  });
});

describe("Names that are too long for any key", { concurrency: true }, () => {
  const long = "n".repeat(5000);

  it("name nothing that is there", async () => {
    const { client, namespace } = await prepare();
    const path = configMapsPath(namespace, long);
    assertCode(await client.get(path), 404);
    assertCode(await client.delete(path), 404);
    assertCode(await client.put(path, { metadata: { name: long } }), 404);
    assertCode(await client.patch(path, mergePatch, { data: {} }), 404);
  });

  it("cannot be given", async () => {
    const { client } = await prepare();
    const role = { metadata: { name: long }, rules: [] };
    const answer = await client.post("/apis/rbac.authorization.k8s.io/v1/clusterroles", role);
    assertCode(answer, 422);
    assert.match(answer.document.message ?? "", /metadata\.name: Too long: must have at most 1024 bytes/);
  });
});
