import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "../support/until.js";
import type { ApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const mergePatch = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";

/** Patches that once made the server fail; each is the client's mistake. */
const oddPatches: readonly (readonly [what: string, mediaType: string, patch: string, code: number])[] = [
  ["an integer beyond 2^53 where a string belongs", mergePatch, '{"data":{"k":12345678901234567890}}', 422],
  ["apiVersion as a list that holds an object", mergePatch, '{"apiVersion":["x",{"toString":{}}]}', 422],
  ["an unknown directive", strategicMergePatch, '{"$patch":"bad"}', 400],
  ["an order that is no list", strategicMergePatch, '{"$setElementOrder/containers":"x"}', 400],
];

describe("Odd patches", { concurrency: 16 }, () => {
  for (const [what, mediaType, patch, code] of oddPatches) {
    it(`Errors, ${code}: a patch with ${what}`, async () => {
      const client = await serverWith();
      const namespace = await freshNamespace(client);
      const before = await createConfigMap(client, namespace, "a");
      const answer = await client.patch(configMapsPath(namespace, "a"), mediaType, patch);
      assertCode(answer, code);
      assert.equal(answer.document.reason, code === 422 ? "Invalid" : "BadRequest");
      assert.deepEqual((await client.get(configMapsPath(namespace, "a"))).document, before);
    });
  }

  it("Errors, 400 Bad Request: a patch that takes the version from a custom object, unless its name is another, too", async () => {
    const client = await serverWith();
    const things = await defineThings(client, await freshNamespace(client));
    assertCode(await client.post(things.path, { ...things.kind, metadata: { name: "a" } }), 201);
    const message = "Object 'apiVersion' is missing in 'object has no apiVersion field'";
    const withoutVersion = await client.patch(`${things.path}/a`, jsonPatch, [{ op: "remove", path: "/apiVersion" }]);
    assertStatus(withoutVersion, { code: 400, reason: "BadRequest", message });
    const moved = [
      { op: "move", from: "/kind", path: "/metadata/name" },
      { op: "add", path: "/kind", value: "Thing" },
    ];
    const renamed = await client.patch(`${things.path}/a`, jsonPatch, [
      { op: "remove", path: "/apiVersion" },
      ...moved,
    ]);
    const named = "the name of the object (Thing) does not match the name on the URL (a)";
    assertStatus(renamed, { code: 400, reason: "BadRequest", message: named });
  });

  it("Errors, 422 Invalid: a patch that makes the version of a custom object null, or one without a group", async () => {
    const client = await serverWith();
    const things = await defineThings(client, await freshNamespace(client));
    assertCode(await client.post(things.path, { ...things.kind, metadata: { name: "a" } }), 201);
    const replace = (value: unknown) => [{ op: "replace", path: "/apiVersion", value }];
    const absent = await client.patch(`${things.path}/a`, jsonPatch, replace(null));
    assertCode(absent, 422);
    assert.match(
      String(absent.document["message"]),
      /^ "" is invalid: patch: Invalid value: ".*": \.apiVersion accessor error: <nil> is of the type <nil>, expected string$/,
    );
    const named = await client.patch(`${things.path}/a`, jsonPatch, replace("v2"));
    assertCode(named, 422);
    const { message, details } = named.document as unknown as { message: string; details: { group?: string } };
    assert.equal(message, `Thing "a" is invalid: apiVersion: Invalid value: "v2": must be ${things.kind.apiVersion}`);
    assert.equal(details.group, undefined);
  });

  for (const mediaType of [mergePatch, strategicMergePatch]) {
    it(`Errors, 400 Bad Request: a ${mediaType} that is nested deeper than can be worked with`, async () => {
      const client = await serverWith();
      const namespace = await freshNamespace(client);
      await createConfigMap(client, namespace, "a");
      const deep = `${'{"a":'.repeat(9990)}1${"}".repeat(9990)}`;
      const answer = await client.patch(
        configMapsPath(namespace, "a"),
        mediaType,
        `{"metadata":{"annotations":${deep}}}`,
      );
      const prefix = mediaType === mergePatch ? "error decoding patch: " : "";
      const message = `${prefix}invalid character '{' exceeded max depth`;
      assertStatus(answer, { code: 400, reason: "BadRequest", message });
    });
  }
});

/** Defines a namespaced kind of its own for a namespace. Returns the path of its objects there, and what they state. */
async function defineThings(client: ApiClient, namespace: string) {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const group = `${namespace.replaceAll("-", "")}.example.com`;
  const created = await client.post(path, {
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  });
  assertCode(created, 201);
  const things = `/apis/${group}/v1/namespaces/${namespace}/things`;
  await until("the kind is served", async () => (await client.get(things)).status === 200);
  return { path: things, kind: { apiVersion: `${group}/v1`, kind: "Thing" } };
}
