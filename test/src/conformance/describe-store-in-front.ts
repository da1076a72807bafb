import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { StoreUnusableError, StoreValueTooLargeError } from "@gatehouse/apiserver/errors";
import { type BackingName, maxFrontValueBytes } from "@gatehouse/apiserver/extension/front-store";
import { create, describeStoreContract, openWatch, remove, update } from "@gatehouse/testing/store-contract";
import { type Front, type StoredObject, StoresInFront, storeName } from "../support/stores-in-front.js";
import { until } from "../support/until.js";

/** Values that are no short texts, or are changed where texts are not kept as they are. */
const values = new Map<string, string | Buffer>([
  ["nothing", ""],
  ["bytes that are no text", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ["a text with a mark, a line separator and control characters", "\ufeff\u2028\u0000\u007f\r\n\ufffd\u{10ffff}"],
  ["numbers, names and spaces in their order", '{"b":1.0,"a": 12345678901234567890,"a":null}'],
  ["the largest text", "a".repeat(maxFrontValueBytes)],
  ["the largest text of what JSON makes longer", "<".repeat(maxFrontValueBytes)],
  ["the most bytes that are no text", Buffer.alloc(maxFrontValueBytes, 0xff)],
]);

/** Describes what stores with a backing do in any API server in front; one is started for them. */
export function describeStoreInFront(backing: BackingName, startFront: () => Promise<Front & AsyncDisposable>): void {
  describe(`a store in ${backing}`, () => {
    let front: Front & AsyncDisposable;
    let stores: StoresInFront;
    before(async () => {
      front = await startFront();
      stores = await StoresInFront.prepare(front, backing);
    });
    after(() => front[Symbol.asyncDispose]());

    describeStoreContract(backing, () => stores.create());

    it("has an object for its head and for each key that lives, and none for those that are deleted", async () => {
      await using fixture = await stores.create();
      const store = await fixture.open();
      await create(store, "/a", "1");
      await remove(store, "/b", await create(store, "/b", "1"));
      await until("the key is in its record, and the other is gone", async () => {
        const keys = (await fixture.objects()).map(({ metadata, data = {} }) =>
          metadata.name === storeName ? "the head" : data["createRevision"] && data["key"],
        );
        return keys.sort().join() === "/a,the head" ? true : undefined;
      });
    });

    it("refuses a value that is larger than its largest, and keeps what was there", async () => {
      await using fixture = await stores.create();
      const store = await fixture.open();
      const revision = await create(store, "/a", "1");
      const put = store.put("/a", Buffer.alloc(maxFrontValueBytes + 1), { expectedRevision: revision });
      await assert.rejects(put, StoreValueTooLargeError);
      assert.equal(await store.currentRevision(), revision);
      await update(store, "/a", revision, "2");
    });

    for (const [what, value] of values) {
      it(`gives back ${what} as it was, to who reads it anew as well`, async () => {
        await using fixture = await stores.create();
        const first = await fixture.open();
        assert.ok((await first.put("/a", Buffer.from(value), { expectedRevision: 0 })).succeeded);
        // Copies it from the head to its record.
        await create(first, "/b", "1");
        await first[Symbol.asyncDispose]();
        const second = await fixture.open();
        assert.ok((await second.get("/a")).kv?.value.equals(Buffer.from(value)));
      });
    }

    it("shows people the text of an object", async () => {
      await using fixture = await stores.create();
      const store = await fixture.open();
      const text = JSON.stringify({ kind: "Flunder", spec: { reference: "<ümlaut>" } });
      await create(store, "/a", text);
      await until("the text is in its record", async () =>
        (await fixture.objects()).some(({ data = {} }) => data["key"] === "/a" && data["value"] === text),
      );
    });

    it("finds what has been committed and is not yet in the records of the keys, and writes it there", async () => {
      await using fixture = await stores.create();
      const first = await fixture.open();
      const recordOf = async (key: string, revision: number): Promise<StoredObject> =>
        until(`${key} is in its record`, async () =>
          (await fixture.objects()).find(
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
      await stores.ask("PUT", `${fixture.path}/${name}`, {
        ...before,
        ...fixture.type,
        metadata: { ...before.metadata, resourceVersion },
      });
      const second = await fixture.open();
      const { kv } = await second.get("/a");
      assert.deepEqual([kv?.createRevision, kv?.modRevision, String(kv?.value)], [created, updated, "2"]);
      await create(second, "/b", "1");
      await recordOf("/a", updated);
      const third = await fixture.open();
      assert.deepEqual((await third.get("/a")).kv, kv);
    });

    it("goes on after a restart with the same revisions, and is asked to read anew about history", async () => {
      await using fixture = await stores.create();
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

    it("gives up the record of a key that never came to be", async () => {
      await using fixture = await stores.create();
      const first = await fixture.open();
      await first[Symbol.asyncDispose]();
      const orphan = {
        ...fixture.type,
        metadata: {
          name: `${storeName}-${"0".repeat(40)}`,
          labels: { "storage.gatehouse.dev/store": storeName },
          annotations: { "storage.gatehouse.dev/revision": "0" },
        },
        data: { key: "/orphan" },
      };
      await stores.ask("POST", fixture.path, orphan);
      const second = await fixture.open();
      assert.equal((await second.get("/orphan")).kv, undefined);
      await create(second, "/other", "1");
      await until("the orphan is deleted or given up", async () => (await fixture.objects()).length === 3 || undefined);
    });

    it("refuses to begin anew where the head is missing though there are keys", async () => {
      await using fixture = await stores.create();
      const store = await fixture.open();
      await create(store, "/a", "1");
      await store[Symbol.asyncDispose]();
      await stores.ask("DELETE", `${fixture.path}/${storeName}`);
      await assert.rejects(fixture.open(), (error) => {
        return (
          error instanceof StoreUnusableError && /head of the store, is missing, though there are 1/.test(error.message)
        );
      });
    });
  });
}
