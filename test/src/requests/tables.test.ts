import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertStatus, type ExpectedStatus } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

const tableOf = (version: string) => ({ accept: `application/json;as=Table;g=meta.k8s.io;v=${version}` });

describe("Tables", { concurrency: true }, () => {
  it("are of the version that was asked for, and so are the objects in their rows", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    for (const version of ["v1", "v1beta1"]) {
      for (const path of [configMapsPath(namespace), configMapsPath(namespace, "a")]) {
        const { document } = await client.get(path, tableOf(version));
        assert.equal(document.apiVersion, `meta.k8s.io/${version}`);
        const [row] = document["rows"] as { object: { apiVersion: string; kind: string } }[];
        assert.equal(`${row?.object.apiVersion} ${row?.object.kind}`, `meta.k8s.io/${version} PartialObjectMetadata`);
      }
      using watch = await client.watch(configMapsPath(namespace, "", "watch=1"), tableOf(version));
      assert.equal((await watch.next()).object.apiVersion, `meta.k8s.io/${version}`);
    }
  });

  it("have null rows when there are none of a kind without columns of its own", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const rowsOf = async (path: string): Promise<unknown> =>
      (await client.get(`${path}?labelSelector=no%3Dsuch`, tableOf("v1"))).document["rows"];
    for (const plural of ["roles", "rolebindings"]) {
      const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/${plural}`;
      assert.deepEqual(await rowsOf(path), plural === "roles" ? null : []);
    }
    assert.equal(await rowsOf("/apis/apiextensions.k8s.io/v1/customresourcedefinitions"), null);
    assert.deepEqual(await rowsOf("/apis/apiregistration.k8s.io/v1/apiservices"), []);
  });

  it("are not made of subresources without columns, and what asks for nothing else writes nothing there", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await client.post(pods, { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } });
    const definition = "/apis/apiregistration.k8s.io/v1/apiservices/v1.apps/status";
    for (const path of [`${pods}/p/ephemeralcontainers`, definition]) {
      assert.equal((await client.get(path, tableOf("v1"))).status, 406);
      const either = await client.get(path, { accept: `${tableOf("v1").accept},application/json` });
      assert.notEqual(either.document.kind, "Table");
    }
    const { document: pod } = await client.get(`${pods}/p`);
    const debugged = { ...pod, spec: { ...(pod["spec"] as object), ephemeralContainers: [{ name: "e", image: "i" }] } };
    assert.equal((await client.put(`${pods}/p/ephemeralcontainers`, debugged, tableOf("v1"))).status, 406);
    assert.deepEqual((await client.get(`${pods}/p`)).document["spec"], pod["spec"]);
    assert.equal((await client.get(`${pods}/p/status`, tableOf("v1"))).document.kind, "Table");
  });

  it("show a Scale with its own columns, as kubectl get --subresource=scale asks for", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const path = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
    const labels = { app: "a" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    await client.post(path, {
      metadata: { name: "r" },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    });
    const { document } = await client.get(`${path}/r/scale`, tableOf("v1"));
    const columns = document["columnDefinitions"] as { name: string }[];
    assert.deepEqual(
      columns.map((column) => column.name),
      ["Name", "Desired", "Available", "Age"],
    );
    const [row] = document["rows"] as { cells: unknown[] }[];
    assert.deepEqual(row?.cells.slice(0, 3), ["r", 2, 0]);
    assert.equal((await client.get(`${path}/r/scale`)).document.kind, "Scale");
  });

  it("refuse to include what they do not know, before anything is written", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const refused: ExpectedStatus = {
      code: 400,
      indented: true,
      reason: "BadRequest",
      message:
        "Unable to convert to Table as requested: includeObject: Invalid value: \"Half\": must be 'Metadata', 'Object', 'None', or empty",
    };
    const query = "includeObject=Half";
    assertStatus(await client.get(configMapsPath(namespace, "", query), tableOf("v1")), refused);
    assertStatus(await client.get(configMapsPath(namespace, "", `watch=1&${query}`), tableOf("v1")), refused);
    const object = { metadata: { name: "a" } };
    assertStatus(await client.post(configMapsPath(namespace, "", query), object, tableOf("v1")), refused);
    assert.equal((await client.get(configMapsPath(namespace, "a", query))).status, 404);
  });
});
