import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type Answer, type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const applyPatch = "application/apply-patch+yaml";
const mergePatch = "application/merge-patch+json";

/** Returns a ConfigMap whose data have so many keys of six characters. Each key is 14 bytes of the fields that its owner owns. */
function configMap(name: string, keys: number, value: string): object {
  const data = Object.fromEntries(
    Array.from({ length: keys }, (_, index) => [`k${String(index).padStart(5, "0")}`, value]),
  );
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

/** Returns the status of an answer, and the managers with the length of what they own, where it has any. */
function outcome(answer: Answer): readonly unknown[] {
  const { metadata } = answer.document as { readonly metadata?: { readonly managedFields?: readonly Entry[] } };
  const managers = metadata?.managedFields?.map(({ manager, fieldsV1 }) => [manager, JSON.stringify(fieldsV1).length]);
  return [answer.status, managers?.sort()];
}

interface Entry {
  readonly manager: string;
  readonly fieldsV1: object;
}

/** v1.29 says this with 500, and of more than two MiB in the words of gRPC. */
const tooLarge = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "etcdserver: request is too large",
  reason: "RequestEntityTooLarge",
  code: 413,
};

// The answers are those of kube-apiserver v1.29.0 over etcd, which takes a request of 1.5 MiB.
describe("The owners of the fields of a large object", () => {
  let server: ControlPlane;
  let client: ApiClient;

  before(async () => {
    server = await startTestServer();
    client = createApiClient(server.clientConfig);
  });

  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
  });

  it("are known of 45,000 fields, and conflict", async () => {
    const object = `${configMaps}/owned`;
    const created = await client.post(`${configMaps}?fieldManager=one`, configMap("owned", 45_000, ""));
    assert.deepEqual(outcome(created), [201, [["one", 630_019]]]);
    const updated = await client.put(`${object}?fieldManager=two`, configMap("owned", 45_000, "1"));
    assert.deepEqual(outcome(updated), [
      200,
      [
        ["one", 13],
        ["two", 630_012],
      ],
    ]);
    const refused = await client.patch(`${object}?fieldManager=three`, applyPatch, configMap("owned", 45_000, "2"));
    assert.equal(refused.status, 409);
    assert.match(
      refused.document["message"] as string,
      /^Apply failed with 45000 conflicts: conflicts with "two" using v1:\n- \.data\.k00000\n/,
    );
    const agreed = await client.patch(`${object}?fieldManager=three`, applyPatch, configMap("owned", 1, "1"));
    assert.deepEqual(outcome(agreed), [
      200,
      [
        ["one", 13],
        ["three", 26],
        ["two", 630_012],
      ],
    ]);
    const path = `${object}?fieldManager=three&force=true`;
    assert.deepEqual(outcome(await client.patch(path, applyPatch, configMap("owned", 45_000, "2"))), [
      200,
      [
        ["one", 13],
        ["three", 630_012],
      ],
    ]);
  });

  it("let an applier give up all fields but one", async () => {
    const path = `${configMaps}/given-up?fieldManager=one`;
    const created = await client.patch(path, applyPatch, configMap("given-up", 45_000, ""));
    assert.deepEqual(outcome(created), [201, [["one", 630_012]]]);
    const left = await client.patch(path, applyPatch, configMap("given-up", 1, ""));
    assert.deepEqual(outcome(left), [200, [["one", 26]]]);
    assert.deepEqual(left.document["data"], { k00000: "" });
  });

  it("are stored as long as the object is not too large with them", async () => {
    const created = await client.post(`${configMaps}?fieldManager=one`, configMap("nearly", 60_000, ""));
    assert.deepEqual(outcome(created), [201, [["one", 840_019]]]);
  });

  for (const keys of [60_000, 90_000]) {
    const name = `forgotten-${keys}`;
    it(`are forgotten when ${keys} fields would be too large with them, by a create`, async () => {
      const created = await client.post(`${configMaps}?fieldManager=one`, configMap(name, keys, "v"));
      assert.deepEqual(outcome(created), [201, undefined]);
      const label = { metadata: { labels: { a: "b" } } };
      const patched = await client.patch(`${configMaps}/${name}?fieldManager=two`, mergePatch, label);
      assert.deepEqual(outcome(patched), [200, undefined]);
    });

    it(`are forgotten when ${keys} fields would be too large with them, by an update`, async () => {
      await client.post(`${configMaps}?fieldManager=one`, configMap(`grown-${keys}`, 1, "v"));
      const path = `${configMaps}/grown-${keys}?fieldManager=two`;
      assert.deepEqual(outcome(await client.put(path, configMap(`grown-${keys}`, keys, "v"))), [200, undefined]);
    });

    it(`are not forgotten by an apply: ${keys} fields are refused, by a create and by an update`, async () => {
      const applied = configMap(`applied-${keys}`, keys, "v");
      const created = await client.patch(`${configMaps}/applied-${keys}?fieldManager=one`, applyPatch, applied);
      assert.deepEqual(created.document, tooLarge);
      assert.equal((await client.get(`${configMaps}/applied-${keys}`)).status, 404);
      // What nobody owns gets an owner by the first apply.
      const label = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { a: "b" } } };
      const updated = await client.patch(`${configMaps}/${name}?fieldManager=one`, applyPatch, label);
      assert.deepEqual(updated.document, tooLarge);
    });
  }

  it("are forgotten when a patch makes the object too large with them", async () => {
    await client.post(`${configMaps}?fieldManager=one`, configMap("patched", 60_000, ""));
    const note = { metadata: { annotations: { a: "x".repeat(20_000) } } };
    const patched = await client.patch(`${configMaps}/patched?fieldManager=two`, mergePatch, note);
    assert.deepEqual(outcome(patched), [200, undefined]);
    assert.deepEqual(outcome(await client.get(`${configMaps}/patched`)), [200, undefined]);
  });

  it("are shown by a dry run, which stores nothing", async () => {
    const dry = `${configMaps}?fieldManager=one&dryRun=All`;
    assert.deepEqual(outcome(await client.post(dry, configMap("dry", 90_000, ""))), [201, [["one", 1_260_019]]]);
  });
});
