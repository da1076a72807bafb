import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

/** Number of times that v1.29 reports a bad label and a bad finalizer in an update; 0 where the finalizer is valid. */
const rows: readonly (readonly [collection: string, body: object, labels: number, finalizers: number])[] = [
  ["/api/v1/namespaces/$n/configmaps", {}, 4, 2],
  ["/api/v1/namespaces/$n/podtemplates", { template: { spec: { containers: [{ name: "c", image: "i" }] } } }, 3, 1],
  ["/api/v1/namespaces/$n/limitranges", {}, 3, 1],
  ["/apis/rbac.authorization.k8s.io/v1/namespaces/$n/roles", {}, 5, 3],
  ["/apis/coordination.k8s.io/v1/namespaces/$n/leases", {}, 3, 0],
  ["/apis/policy/v1/namespaces/$n/poddisruptionbudgets", {}, 2, 0],
];

function causesOf(details: unknown): readonly { readonly field?: string }[] {
  return (details as { causes?: { field?: string }[] } | undefined)?.causes ?? [];
}

describe("Metadata of updates", { concurrency: true }, () => {
  let client: ApiClient;
  let namespace: string;
  before(async () => {
    client = await serverWith();
    namespace = await freshNamespace(client);
  });

  for (const [path, body, labels, finalizers] of rows) {
    const resource = path.slice(path.lastIndexOf("/") + 1);
    it(`what is wrong with ${resource} is told as often as by v1.29`, async () => {
      const collection = path.replace("$n", namespace);
      const created = await client.post(collection, { metadata: { name: "a" }, ...body });
      assertCode(created, 201);
      const { resourceVersion } = created.document.metadata;
      const put = (metadata: object) =>
        client.put(`${collection}/a`, { metadata: { name: "a", resourceVersion, ...metadata }, ...body });
      const causes = async (metadata: object): Promise<readonly (string | undefined)[]> => {
        const { details } = (await put(metadata)).document;
        return causesOf(details).map(({ field }) => field);
      };
      assert.deepEqual(await causes({ labels: { a: "b c" } }), Array(labels).fill("metadata.labels"));
      assert.equal((await causes({ finalizers: ["a b/x"] }))[0], "metadata.finalizers");
      // Last: where it is accepted, it is written.
      assert.deepEqual(await causes({ finalizers: ["x"] }), Array(finalizers).fill("metadata.finalizers[0]"));
    });
  }

  it("in an update of the status what is wrong is told of three times", async () => {
    const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
    assertCode(await client.post(path, { metadata: { name: "a" } }), 201);
    const { document } = await client.put(`${path}/a/status`, { metadata: { name: "a", labels: { a: "b c" } } });
    assert.equal(document.code, 422);
    assert.equal(causesOf(document.details).length, 3);
  });
});
