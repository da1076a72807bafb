import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "Endpoints, Media types";

describe(section, { concurrency: 16 }, () => {
  it(`${section}, application/json: the default, for every built-in type`, async () => {
    const client = await serverWith();
    const { groups } = (await client.get("/apis")).document as unknown as {
      groups: { preferredVersion: { groupVersion: string } }[];
    };
    const paths = ["/api/v1", ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
    for (const path of paths) {
      const { resources } = (await client.get(path)).document as unknown as {
        resources: { name: string; kind: string; verbs: string[] }[];
      };
      for (const { name, kind, verbs } of resources.filter((resource) => resource.verbs.includes("list"))) {
        const answer = await client.get(`${path}/${name}`);
        assertCode(answer, 200);
        assert.equal(answer.headers["content-type"], "application/json");
        assert.equal(answer.document.kind, `${kind}List`, verbs.join());
      }
    }
  });

  it(`${section}, application/vnd.kubernetes.protobuf: for every built-in type`, async () => {
    const client = await serverWith();
    const accept = "application/vnd.kubernetes.protobuf";
    for (const path of [
      "/api/v1/namespaces",
      "/apis/apps/v1/deployments",
      "/apis/rbac.authorization.k8s.io/v1/roles",
    ]) {
      const answer = await client.get(path, { accept });
      assertCode(answer, 200);
      assert.equal(answer.headers["content-type"], accept);
    }
  });

  it(`${section}, application/json;as=Table;g=meta.k8s.io;v=v1: for objects and lists`, async () => {
    const client = await serverWith();
    const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
    for (const path of ["/api/v1/namespaces/default", "/api/v1/namespaces"]) {
      assert.equal((await client.get(path, { accept })).document.kind, "Table");
    }
  });

  it(`${section}, PartialObjectMetadata: metadata alone, for objects, lists and watches`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const { metadata } = await createConfigMap(client, namespace, "a", { data: { k: "v" } });
    const as = (kind: string) => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });
    const one = await client.get(configMapsPath(namespace, "a"), as("PartialObjectMetadata"));
    assert.deepEqual(one.document, { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata });
    const list = await client.get(configMapsPath(namespace), as("PartialObjectMetadataList"));
    assert.equal(list.document.kind, "PartialObjectMetadataList");
    assert.deepEqual(list.document.items[0]?.metadata, metadata);
    assert.equal(list.document.items[0]?.data, undefined);
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"), as("PartialObjectMetadata"));
    const event = await watch.next();
    assert.deepEqual(event.object, { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata });
  });

  it(`${section}, application/yaml: for bodies and answers`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const answer = await client.request("POST", configMapsPath(namespace), {
      body: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  'on': 'yes'\n  'n': \"1\"\n",
      headers: { "content-type": "application/yaml", accept: "application/yaml" },
    });
    assertCode(answer, 201);
    assert.match(answer.text, /^apiVersion: v1\ndata:\n {2}"n": "1"\n {2}"on": "yes"\nkind: ConfigMap\nmetadata:\n/);
  });

  for (const mediaType of [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
  ]) {
    it(`${section}, ${mediaType}: for patches`, async () => {
      const client = await serverWith();
      const namespace = await freshNamespace(client);
      await createConfigMap(client, namespace, "a", { data: { k: "1" } });
      const isList = mediaType === "application/json-patch+json";
      const patch = isList ? [{ op: "replace", path: "/data/k", value: "2" }] : { data: { k: "2" } };
      const answer = await client.patch(configMapsPath(namespace, "a"), mediaType, patch);
      assertCode(answer, 200);
      assert.deepEqual(answer.document.data, { k: "2" });
    });
  }

  it(`${section}: of several in Accept the first that can be served is taken`, async () => {
    const client = await serverWith();
    const accept = "application/vnd.kubernetes.protobuf,application/json";
    const typed = await client.get("/api/v1/namespaces/default", { accept });
    assert.equal(typed.headers["content-type"], "application/vnd.kubernetes.protobuf");
    const html = await client.get("/api/v1/namespaces/default", { accept: "text/html,application/json" });
    assert.equal(html.headers["content-type"], "application/json");
  });

  it(`${section}: none that can be served is 406, before anything is written`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const answer = await client.post(configMapsPath(namespace), { metadata: { name: "a" } }, { accept: "image/png" });
    assertStatus(answer, {
      code: 406,
      indented: true,
      reason: "NotAcceptable",
      message:
        "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
      details: {},
    });
    assertCode(await client.get(configMapsPath(namespace, "a")), 404);
  });
});
