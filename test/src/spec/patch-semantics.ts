import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "Endpoints, Patch semantics";
const jsonPatch = "application/json-patch+json";
const mergePatch = "application/merge-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";

const rejected = {
  code: 422,
  reason: "Invalid",
  message: "the server rejected our request due to an error in our request",
  details: {},
};

describe(section, { concurrency: 16 }, () => {
  it(`${section}, json-patch: operations in their order`, async () => {
    const { client, path } = await withConfigMap({ a: "1", b: "2" });
    const answer = await client.patch(path, jsonPatch, [
      { op: "test", path: "/data/a", value: "1" },
      { op: "move", from: "/data/a", path: "/data/c" },
      { op: "copy", from: "/data/c", path: "/data/d" },
      { op: "replace", path: "/data/c", value: "3" },
      { op: "remove", path: "/data/b" },
      { op: "add", path: "/metadata/labels", value: { "x/y": "1" } },
      { op: "replace", path: "/metadata/labels/x~1y", value: "2" },
    ]);
    assertCode(answer, 200);
    assert.deepEqual(answer.document.data, { c: "3", d: "1" });
    assert.deepEqual(answer.document.metadata.labels, { "x/y": "2" });
  });

  it(`${section}, json-patch: a test that fails changes nothing`, async () => {
    const { client, path } = await withConfigMap({ a: "1" });
    const answer = await client.patch(path, jsonPatch, [
      { op: "replace", path: "/data/a", value: "2" },
      { op: "test", path: "/data/a", value: "1" },
    ]);
    assertStatus(answer, rejected);
    assert.deepEqual((await client.get(path)).document.data, { a: "1" });
  });

  it(`${section}, json-patch: a path that is not there is rejected`, async () => {
    const { client, path } = await withConfigMap({ a: "1" });
    assertStatus(await client.patch(path, jsonPatch, [{ op: "remove", path: "/data/none" }]), rejected);
    assertStatus(await client.patch(path, jsonPatch, [{ op: "add", path: "/none/x", value: 1 }]), rejected);
  });

  it(`${section}, json-patch: conditional on the version by a test`, async () => {
    const { client, path } = await withConfigMap({ a: "1" });
    const { resourceVersion } = (await client.get(path)).document.metadata;
    const patch = (value: string) => [
      { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
      { op: "replace", path: "/data/a", value },
    ];
    assertCode(await client.patch(path, jsonPatch, patch("2")), 200);
    assertStatus(await client.patch(path, jsonPatch, patch("3")), rejected);
  });

  it(`${section}, merge-patch: members are merged, null deletes, lists are replaced`, async () => {
    const { client, path } = await withConfigMap({ a: "1", b: "2" });
    const finalizers = { metadata: { finalizers: ["example.com/a", "example.com/b"] } };
    assertCode(await client.patch(path, mergePatch, finalizers), 200);
    const answer = await client.patch(path, mergePatch, {
      data: { a: null, c: "3" },
      metadata: { finalizers: ["example.com/b"] },
    });
    assertCode(answer, 200);
    assert.deepEqual(answer.document.data, { b: "2", c: "3" });
    assert.deepEqual(answer.document.metadata.finalizers, ["example.com/b"]);
  });

  it(`${section}, strategic-merge-patch: lists are merged by their keys`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const services = `/api/v1/namespaces/${namespace}/services`;
    const ports = [
      { name: "http", port: 80, protocol: "TCP", targetPort: 80 },
      { name: "https", port: 443, protocol: "TCP", targetPort: 443 },
    ];
    assertCode(await client.post(services, { metadata: { name: "s" }, spec: { ports } }), 201);
    const answer = await client.patch(`${services}/s`, strategicMergePatch, {
      spec: {
        ports: [
          { port: 443, targetPort: 8443 },
          { port: 80, $patch: "delete" },
          { name: "dns", port: 53 },
        ],
      },
    });
    assertCode(answer, 200);
    const { spec } = answer.document as unknown as { spec: { ports: { port: number; targetPort: number }[] } };
    assert.deepEqual(
      spec.ports.map(({ port, targetPort }) => [port, targetPort]).sort(),
      [
        [443, 8443],
        [53, 53],
      ].sort(),
    );
  });

  it(`${section}, strategic-merge-patch: directives that replace and delete`, async () => {
    const { client, path } = await withConfigMap({ a: "1", b: "2" });
    const answer = await client.patch(path, strategicMergePatch, { data: { $patch: "replace", c: "3" } });
    assertCode(answer, 200);
    assert.deepEqual(answer.document.data, { c: "3" });
  });

  it(`${section}: concurrent patches that do not name a version all happen`, async () => {
    const { client, path } = await withConfigMap({});
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    const answers = await Promise.all(keys.map((key) => client.patch(path, mergePatch, { data: { [key]: "v" } })));
    for (const answer of answers) {
      assertCode(answer, 200);
    }
    assert.deepEqual(Object.keys((await client.get(path)).document.data ?? {}).sort(), keys.sort());
  });

  it(`${section}: a patch with a stale version is a conflict, and so is a PUT`, async () => {
    const { client, path } = await withConfigMap({ a: "1" });
    const stale = (await client.get(path)).document;
    assertCode(await client.patch(path, mergePatch, { data: { a: "2" } }), 200);
    const { resourceVersion } = stale.metadata;
    const patch = { metadata: { resourceVersion }, data: { a: "3" } };
    for (const mediaType of [mergePatch, strategicMergePatch]) {
      assertCode(await client.patch(path, mediaType, patch), 409);
    }
    assertCode(await client.put(path, stale), 409);
    assert.deepEqual((await client.get(path)).document.data, { a: "2" });
  });

  it(`${section}: a patch that changes nothing makes no new version`, async () => {
    const { client, path } = await withConfigMap({ a: "1" });
    const before = (await client.get(path)).document;
    for (const [mediaType, patch] of [
      [jsonPatch, [{ op: "replace", path: "/data/a", value: "1" }]],
      [mergePatch, { data: { a: "1" } }],
      [strategicMergePatch, {}],
    ] as const) {
      const answer = await client.patch(path, mediaType, patch);
      assertCode(answer, 200);
      assert.deepEqual(answer.document, before, mediaType);
    }
  });

  it(`${section}: a patch cannot give an object another name or namespace`, async () => {
    const { client, path } = await withConfigMap({ a: "1" });
    assertStatus(await client.patch(path, mergePatch, { metadata: { name: "other" } }), {
      code: 400,
      reason: "BadRequest",
      message: "the name of the object (other) does not match the name on the URL (a)",
    });
    assertCode(await client.patch(path, mergePatch, { metadata: { namespace: "other" } }), 400);
  });

  it(`${section}: a patch that leaves an invalid object is 422, with the object as it was`, async () => {
    const { client, path } = await withConfigMap({ a: "1" });
    const answer = await client.patch(path, mergePatch, { metadata: { labels: { x: "not a label!" } } });
    assertCode(answer, 422);
    assert.deepEqual((await client.get(path)).document.data, { a: "1" });
  });

  it(`${section}: a document that is no patch of its type is refused`, async () => {
    const { client, path } = await withConfigMap({ a: "1" });
    for (const [mediaType, body] of [
      [jsonPatch, "{}"],
      [jsonPatch, '[{"op":"none","path":"/x"}]'],
      [mergePatch, "[]"],
      [mergePatch, "{"],
      [strategicMergePatch, '"x"'],
    ] as const) {
      const answer = await client.patch(path, mediaType, body);
      assert.ok(answer.status === 400 || answer.status === 422, `${mediaType} ${body}: ${answer.text}`);
      assert.equal(answer.document.kind, "Status");
    }
  });

  it(`${section}: status is patched through its subresource, and nothing else is`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
    assertCode(await client.post(pods, pod), 201);
    const patch = { spec: { activeDeadlineSeconds: 5 }, status: { message: "said" } };
    const viaStatus = (await client.patch(`${pods}/p/status`, mergePatch, patch)).document as unknown as Pod;
    assert.deepEqual([viaStatus.status.message, viaStatus.spec.activeDeadlineSeconds], ["said", undefined]);
    const other = { ...patch, status: { message: "ignored" } };
    const viaPod = (await client.patch(`${pods}/p`, mergePatch, other)).document as unknown as Pod;
    assert.deepEqual([viaPod.status.message, viaPod.spec.activeDeadlineSeconds], ["said", 5]);
  });
});

interface Pod {
  readonly spec: { readonly activeDeadlineSeconds?: number };
  readonly status: { readonly message?: string };
}

async function withConfigMap(data: Readonly<Record<string, string>>): Promise<{ client: ApiClient; path: string }> {
  const client = await serverWith();
  const namespace = await freshNamespace(client);
  await createConfigMap(client, namespace, "a", { data });
  return { client, path: configMapsPath(namespace, "a") };
}
