import type { Store } from "@gatehouse/apiserver/storage";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import type { StoreFixture } from "@gatehouse/testing/store-contract";

/** Returns a fixture on the etcd of a URL. It empties the etcd, which is faster than to start one for each test. */
export async function createEtcdFixture(url: string): Promise<StoreFixture> {
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
