import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";

const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

/** About so many KiB, of which protobuf holds all but a few bytes in a thousand. */
function role(name: string, kibibytes: number): object {
  const resourceNames = Array.from({ length: kibibytes }, (_, index) => `${index}`.padStart(6, "0") + "x".repeat(1011));
  const rules = [{ apiGroups: ["a"], resources: ["b"], verbs: ["get"], resourceNames }];
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name }, rules };
}

const tooLarge = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "etcdserver: request is too large",
  reason: "RequestEntityTooLarge",
  code: 413,
};

describe("Objects that the store of v1.29 would not take are refused", () => {
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

  it("a megabyte and a half is stored", async () => {
    assert.equal((await client.post(roles, role("large", 1530))).status, 201);
  });

  for (const kibibytes of [1600, 2900]) {
    it(`${kibibytes} KiB are not, by create or by update`, async () => {
      assert.deepEqual((await client.post(roles, role("larger", kibibytes))).document, tooLarge);
      assert.equal((await client.get(`${roles}/larger`)).status, 404);
      assert.equal((await client.post(roles, role(`grown-${kibibytes}`, 1))).status, 201);
      const grown = await client.put(`${roles}/grown-${kibibytes}`, role(`grown-${kibibytes}`, kibibytes));
      assert.deepEqual(grown.document, tooLarge);
    });
  }

  it("many short members are counted as v1.29 stores them, not as they are stored here", async () => {
    const subjects = Array.from({ length: 20_000 }, (_, index) => ({
      kind: "ServiceAccount",
      name: `${index}`.padStart(28, "0"),
      namespace: "a",
    }));
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
    const binding = { metadata: { name: "many" }, roleRef, subjects };
    const created = await client.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding);
    assert.equal(created.status, 201, created.text.slice(0, 300));
    assert.ok(created.text.length > 1.5 * 1024 * 1024);
  });

  it("a dry run does not ask the store", async () => {
    assert.equal((await client.post(`${roles}?dryRun=All`, role("dry", 1600))).status, 201);
  });
});
