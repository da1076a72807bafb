import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import type { Store } from "@gatehouse/apiserver/storage";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { describeStoreContract, type StoreFixture } from "@gatehouse/testing/store-contract";
import { type ServedFace, serveFace } from "./served-face.js";

describe("the etcd store, with the embedded store as its etcd", () => {
  let directory: string;
  let face: ServedFace;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "gatehouse-face-"));
    // The suite has a value of 3 MiB; etcd takes half of that unless told otherwise.
    face = await serveFace(directory, { maxRequestBytes: 8_000_000 });
  });
  after(async () => {
    await face[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
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
