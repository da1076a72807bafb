import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StoreRefusedError, StoreValueTooLargeError } from "../errors/errors.js";
import { createCacheFixture, podsPrefix } from "../storage/cache/cache.test.support.js";
import type { Store } from "../storage/store.js";
import { ResourceStorage } from "./resource-storage.js";

const key = `${podsPrefix}a`;
const refusal = new StoreValueTooLargeError("etcdserver: request is too large");

function owned(): JsonObject {
  return { kind: "Pod", apiVersion: "v1", metadata: { name: "a", managedFields: [{ manager: "one" }] } };
}

/** Runs a test with a storage whose store refuses what it is told to, and notes what it is sent. */
async function withStore(
  refuse: (value: string) => Error | undefined,
  run: (storage: ResourceStorage, sent: readonly boolean[]) => Promise<void>,
): Promise<void> {
  await using fixture = await createCacheFixture();
  const sent: boolean[] = [];
  const put: Store["put"] = async (at, value, options) => {
    const text = value.toString();
    sent.push(text.includes("managedFields"));
    const error = refuse(text);
    if (error !== undefined) {
      throw error;
    }
    return fixture.store.put(at, value, options);
  };
  const store = new Proxy(fixture.store, {
    get: (target, name) => {
      const member = name === "put" ? put : Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const { feed, cache } = fixture;
  await run(
    new ResourceStorage({ store, feed, cache, prefix: podsPrefix, namespaced: true, hasWatchCache: true }),
    sent,
  );
}

describe("An object that the store refuses as too large", () => {
  const refuseOwners = (value: string): Error | undefined => (value.includes("managedFields") ? refusal : undefined);

  it("is stored without its owners, by a create and by an update, where they may be forgotten", async () => {
    await withStore(refuseOwners, async (storage, sent) => {
      const created = await storage.create(key, owned(), { mayForgetOwners: true });
      assert.deepEqual(created?.object()["metadata"], { name: "a", resourceVersion: String(created?.revision) });
      const change = () => ({ type: "write", object: { ...owned(), spec: {} } }) as const;
      const { entry, outcome } = await storage.change(key, change, { mayForgetOwners: true });
      assert.equal(outcome, "updated");
      assert.deepEqual(entry?.object()["metadata"], { name: "a", resourceVersion: String(entry?.revision) });
      assert.deepEqual(sent, [true, false, true, false], "whether there were owners in what the store got");
    });
  });

  it("is refused where its owners may not be forgotten", async () => {
    await withStore(refuseOwners, async (storage, sent) => {
      await assert.rejects(storage.create(key, owned()), refusal);
      assert.deepEqual(sent, [true]);
    });
  });

  it("is refused when it is too large without its owners, too, or has none", async () => {
    await withStore(
      () => refusal,
      async (storage, sent) => {
        await assert.rejects(storage.create(key, owned(), { mayForgetOwners: true }), refusal);
        await assert.rejects(storage.create(key, { metadata: { name: "a" } }, { mayForgetOwners: true }), refusal);
        assert.deepEqual(sent, [true, false, false]);
      },
    );
  });

  it("keeps its owners after a refusal for another reason", async () => {
    const other = new StoreRefusedError("etcdserver: permission denied");
    await withStore(
      () => other,
      async (storage, sent) => {
        await assert.rejects(storage.create(key, owned(), { mayForgetOwners: true }), other);
        assert.deepEqual(sent, [true]);
      },
    );
  });
});
