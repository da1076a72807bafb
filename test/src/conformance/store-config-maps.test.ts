import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { StoreRefusedError, StoreUnusableError, StoreValueTooLargeError } from "@gatehouse/apiserver/errors";
import { maxConfigMapValueBytes, openConfigMapStore } from "@gatehouse/apiserver/extension/config-map-store";
import type { Store } from "@gatehouse/apiserver/storage";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import {
  create,
  describeStoreContract,
  openWatch,
  remove,
  type StoreFixture,
  summarize,
  update,
} from "@gatehouse/testing/store-contract";
import { until } from "../support/until.js";

interface ConfigMap {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
}

describe("a store in ConfigMaps of a control plane", () => {
  let controlPlane: ControlPlane;
  let fixtures = 0;
  before(async () => {
    controlPlane = await startControlPlane();
  });
  after(() => controlPlane.stop());

  function createFixture(): StoreFixture & { readonly name: string } {
    const stores: Store[] = [];
    const name = `store-${++fixtures}`;
    return {
      name,
      isInMemory: true,
      maxValueBytes: maxConfigMapValueBytes,
      async open() {
        const front = controlPlane.clientConfig;
        const store = await openConfigMapStore({ front, namespace: "default", name, sweepIntervalMs: 50 });
        stores.push(store);
        return store;
      },
      async [Symbol.asyncDispose]() {
        await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
      },
    };
  }

  const path = "/api/v1/namespaces/default/configmaps";

  async function ask(method: string, at: string, body?: object): Promise<unknown> {
    const request = { method, path: at, signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
    const answer = await controlPlane.client.requestJson(body === undefined ? request : { ...request, body });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  }

  async function configMapsOf(store: string): Promise<readonly ConfigMap[]> {
    const selector = encodeURIComponent(`storage.gatehouse.dev/store=${store}`);
    return ((await ask("GET", `${path}?labelSelector=${selector}`)) as { readonly items: readonly ConfigMap[] }).items;
  }

  describeStoreContract("ConfigMaps", async () => createFixture());

  it("has a ConfigMap for its head and for each key that lives, and none for those that are deleted", async () => {
    await using fixture = createFixture();
    const store = await fixture.open();
    await create(store, "/a", "1");
    await remove(store, "/b", await create(store, "/b", "1"));
    await until("the key is in its ConfigMap, and the other is gone", async () => {
      const keys = (await configMapsOf(fixture.name)).map(({ metadata, data = {} }) =>
        metadata.name === fixture.name ? "the head" : data["createRevision"] && data["key"],
      );
      return keys.sort().join() === "/a,the head" ? true : undefined;
    });
  });

  it("refuses a value that is larger than its largest, and keeps what was there", async () => {
    await using fixture = createFixture();
    const store = await fixture.open();
    const revision = await create(store, "/a", "1");
    const put = store.put("/a", Buffer.alloc(maxConfigMapValueBytes + 1), { expectedRevision: revision });
    await assert.rejects(put, StoreValueTooLargeError);
    assert.equal(await store.currentRevision(), revision);
    await update(store, "/a", revision, "2");
  });

  it("finds what has been committed and is not yet in the ConfigMaps of the keys, and writes it there", async () => {
    await using fixture = createFixture();
    const first = await fixture.open();
    const recordOf = async (key: string, revision: number): Promise<ConfigMap> =>
      until(`${key} is in its ConfigMap`, async () =>
        (await configMapsOf(fixture.name)).find(
          ({ metadata, data = {} }) =>
            data["key"] === key && metadata.annotations["storage.gatehouse.dev/revision"] === String(revision),
        ),
      );
    const created = await create(first, "/a", "1");
    const before = await recordOf("/a", created);
    const updated = await update(first, "/a", created, "2");
    const after = await recordOf("/a", updated);
    await first[Symbol.asyncDispose]();
    // As it is when a process is killed after it has written the head.
    const { name, resourceVersion } = after.metadata;
    await ask("PUT", `${path}/${name}`, { ...before, metadata: { ...before.metadata, resourceVersion } });
    const second = await fixture.open();
    const { kv } = await second.get("/a");
    assert.deepEqual([kv?.createRevision, kv?.modRevision, String(kv?.value)], [created, updated, "2"]);
    await create(second, "/b", "1");
    await recordOf("/a", updated);
    const third = await fixture.open();
    assert.deepEqual((await third.get("/a")).kv, kv);
  });

  it("goes on after a restart with the same revisions, and is asked to read anew about history", async () => {
    await using fixture = createFixture();
    const first = await fixture.open();
    const created = await create(first, "/a", "1");
    const updated = await update(first, "/a", created, "2");
    await first[Symbol.asyncDispose]();
    const second = await fixture.open();
    const { kv } = await second.get("/a");
    assert.deepEqual([kv?.createRevision, kv?.modRevision, String(kv?.value)], [created, updated, "2"]);
    await assert.rejects(openWatch(second, "/", created).next(), { name: "RevisionCompactedError" });
    assert.equal(await update(second, "/a", updated, "3"), updated + 1);
  });

  it("gives up the ConfigMap of a key that never came to be", async () => {
    await using fixture = createFixture();
    const first = await fixture.open();
    await first[Symbol.asyncDispose]();
    const orphan = {
      metadata: {
        name: `${fixture.name}-${"0".repeat(40)}`,
        labels: { "storage.gatehouse.dev/store": fixture.name },
        annotations: { "storage.gatehouse.dev/revision": "0" },
      },
      data: { key: "/orphan" },
    };
    await ask("POST", path, orphan);
    const second = await fixture.open();
    assert.equal((await second.get("/orphan")).kv, undefined);
    await create(second, "/other", "1");
    await until(
      "the orphan is deleted or given up",
      async () => (await configMapsOf(fixture.name)).length === 3 || undefined,
    );
  });

  it("tells its watches of changes again after the front has restarted", async () => {
    await using fixture = createFixture();
    const [one, two] = [await fixture.open(), await fixture.open()];
    const watch = openWatch(two, "/", await two.currentRevision());
    await controlPlane.restart();
    const revision = await until("the front takes a write", async () => {
      const result = await one.put("/a", Buffer.from("1"), { expectedRevision: 0 }).catch(() => undefined);
      return result === undefined ? undefined : (await one.get("/a")).kv?.modRevision;
    });
    assert.deepEqual((await watch.next())?.events.map(summarize), [`${revision} put /a=1`]);
    watch.abort();
  });

  it("refuses to begin anew where the head is missing though there are keys", async () => {
    await using fixture = createFixture();
    const store = await fixture.open();
    await create(store, "/a", "1");
    await store[Symbol.asyncDispose]();
    await ask("DELETE", `${path}/${fixture.name}`);
    await assert.rejects(fixture.open(), (error) => {
      return (
        error instanceof StoreUnusableError && /head of the store, is missing, though there are 1/.test(error.message)
      );
    });
  });

  it("tells what the front says where it may not read or write", async () => {
    const { clientConfig } = await controlPlane.addUser({ name: "nobody" });
    await assert.rejects(openConfigMapStore({ front: clientConfig, namespace: "default", name: "store" }), (error) => {
      return (
        error instanceof StoreRefusedError && /User "nobody" cannot list resource "configmaps"/.test(error.message)
      );
    });
    const { clientConfig: front } = controlPlane;
    await assert.rejects(openConfigMapStore({ front, namespace: "nowhere", name: "store" }), /"nowhere" not found/);
  });
});
