import { MemoryData, MemoryStore, readImage } from "@gatehouse/apiserver/storage/memory";
import { describeStoreContract, type StoreFixture } from "@gatehouse/testing/store-contract";

function memoryFixture(data: MemoryData): StoreFixture {
  const stores: MemoryStore[] = [];
  return {
    isInMemory: true,
    async open() {
      const store = new MemoryStore(data, { sweepIntervalMs: 50 });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
    },
  };
}

describeStoreContract("memory, begun with the image of another store", async () => {
  await using parent = new MemoryStore(new MemoryData());
  await parent.put("zzz", Buffer.from("of the parent"), { expectedRevision: 0 });
  const { kv } = await parent.get("zzz");
  await parent.delete("zzz", { expectedRevision: kv?.modRevision ?? 0 });
  return memoryFixture(new MemoryData(await readImage(parent, "")));
});
