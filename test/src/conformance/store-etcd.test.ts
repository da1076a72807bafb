import { after, before, describe } from "node:test";
import type { Store } from "@gatehouse/apiserver/storage";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { describeStoreContract, type StoreFixture } from "@gatehouse/testing/store-contract";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";

const found = await findEtcd();

describe("on etcd", { skip: "skip" in found ? found.skip : false }, () => {
  let etcd: EtcdProcess;
  before(async () => {
    // The suite has a value of 3 MiB; etcd takes half of that unless told otherwise.
    const args = ["--max-request-bytes", "8000000"];
    etcd = await EtcdProcess.start({ path: "path" in found ? found.path : "", args });
  });
  after(() => etcd[Symbol.asyncDispose]());

  describeStoreContract("etcd", () => createEtcdFixture(etcd));
});

/** Empties the etcd of the suite, which is faster than to start one for each test. */
async function createEtcdFixture({ url }: EtcdProcess): Promise<StoreFixture> {
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
