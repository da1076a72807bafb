import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MemoryData, MemoryStore } from "@gatehouse/apiserver/storage/memory";
import { type BootstrapSettings, writeBootstrapObjects } from "./bootstrap-objects.js";

const settings: BootstrapSettings = {
  ...{ audit: undefined, encryption: undefined, hasDefaultApi: true, storageMediaType: undefined },
  authorization: { authorizers: [{ type: "Node" }, { type: "RBAC" }] },
  ...{ controllers: ["*"], keyPrefix: "/other/" },
  requestLimits: { fairness: true, maxReadOnly: 400, maxMutating: 200 },
};
const now = (): number => Date.UTC(2026, 1, 3, 4, 5, 6, 789);

async function stored(store: MemoryStore): Promise<Map<string, { metadata: Record<string, string> }>> {
  const { kvs } = await store.range({ prefix: "/" });
  return new Map(kvs.map(({ key, value }) => [key, JSON.parse(value.toString())]));
}

describe("the objects of every cluster", () => {
  it("are written to a new store under its prefix, with a time and uids of its own", async () => {
    await using store = new MemoryStore(new MemoryData());
    await writeBootstrapObjects(store, { settings, now });
    const objects = await stored(store);
    for (const name of ["clusterroles/cluster-admin", "namespaces/kube-system", "flowschemas/exempt"]) {
      assert.equal(objects.get(`/other/${name}`)?.metadata["creationTimestamp"], "2026-02-03T04:05:06Z", name);
    }
    assert.equal(new Set([...objects.values()].map(({ metadata }) => metadata["uid"])).size, objects.size);
    assert.doesNotMatch(JSON.stringify([...objects.values()]), /0001-01-01|00000000-0000/);
  });

  it("are not written to a store that something has been written to", async () => {
    await using store = new MemoryStore(new MemoryData());
    await store.put("/other/namespaces/mine", Buffer.from('{"metadata":{}}'), { expectedRevision: 0 });
    await writeBootstrapObjects(store, { settings, now });
    assert.deepEqual([...(await stored(store)).keys()], ["/other/namespaces/mine"]);
  });

  it("have no roles and bindings for a server without RBAC", async () => {
    const kindsWith = async (type: "AlwaysAllow" | "RBAC"): Promise<ReadonlySet<string>> => {
      await using store = new MemoryStore(new MemoryData());
      assert.equal(
        await writeBootstrapObjects(store, {
          settings: { ...settings, authorization: { authorizers: [{ type }] } },
          now,
        }),
        true,
      );
      return new Set([...(await stored(store)).keys()].map((key) => key.split("/")[2] as string));
    };
    const [all, some] = [await kindsWith("RBAC"), await kindsWith("AlwaysAllow")];
    const roles = ["clusterrolebindings", "clusterroles", "rolebindings", "roles"];
    assert.deepEqual([...all].filter((kind) => !some.has(kind)).sort(), roles);
    assert.ok(some.has("namespaces") && some.has("flowschemas"));
  });

  const others: readonly [string, Partial<BootstrapSettings>][] = [
    ["serves another choice of kinds", { hasDefaultApi: false }],
    [
      "reads its authorizers from a file",
      { authorization: { configFile: "/authorizers.yaml", policyFile: undefined } },
    ],
    ["limits requests without fairness", { requestLimits: { ...settings.requestLimits, fairness: false } }],
    ["makes no namespaces", { controllers: ["*", "-system-namespaces-controller"] }],
    ["keeps values as protobuf", { storageMediaType: "application/vnd.kubernetes.protobuf" }],
    ["audits", { audit: {} as NonNullable<BootstrapSettings["audit"]> }],
    ["encrypts", { encryption: {} as NonNullable<BootstrapSettings["encryption"]> }],
  ];
  for (const [what, changed] of others) {
    it(`are left to requests when a server ${what}`, async () => {
      await using store = new MemoryStore(new MemoryData());
      await writeBootstrapObjects(store, { settings: { ...settings, ...changed }, now });
      assert.equal((await stored(store)).size, 0);
    });
  }
});
