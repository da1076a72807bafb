import { after, before, describe } from "node:test";
import type { Store } from "@gatehouse/apiserver/storage";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { describeStoreContract, type StoreFixture } from "@gatehouse/testing/store-contract";
import { ServedFace } from "./served-face.js";

describe("the etcd store, with the embedded store as its etcd", () => {
  let face: ServedFace;
  before(async () => {
    // The suite has a value of 3 MiB; etcd takes half of that unless told otherwise.
    face = await ServedFace.start(["--listen-etcd-max-request-bytes", "8000000"]);
  });
  after(async () => {
    await face[Symbol.asyncDispose]();
  });

  describeStoreContract("etcd, on the embedded store", () => createFixture(face.url));
});

/** Empties the store, which is faster than to start one for each test. */
async function createFixture(url: string): Promise<StoreFixture> {
  const stores: Store[] = [];
  const open = async (): Promise<Store> => {
    const store = await openEtcdStore({ transport: { servers: [url] }, leaseReuseSeconds: 0 });
    stores.push(store);
    return store;
  };
  const cleaner = await open();
  for (const { key, modRevision } of (await cleaner.range({ prefix: "" })).kvs) {
    await cleaner.delete(key, { expectedRevision: modRevision });
  }
  return {
    open,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
    },
  };
}
