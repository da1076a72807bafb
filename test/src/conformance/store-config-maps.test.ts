import { after, before, describe } from "node:test";
import { maxConfigMapValueBytes, openConfigMapStore } from "@gatehouse/apiserver/extension/config-map-store";
import type { Store } from "@gatehouse/apiserver/storage";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { describeStoreContract, type StoreFixture } from "@gatehouse/testing/store-contract";

describe("in ConfigMaps of a control plane", () => {
  let controlPlane: ControlPlane;
  let fixtures = 0;
  before(async () => {
    controlPlane = await startControlPlane();
  });
  after(() => controlPlane.stop());

  function createFixture(): StoreFixture {
    const stores: Store[] = [];
    const name = `store-${++fixtures}`;
    return {
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

  describeStoreContract("ConfigMaps", async () => createFixture());
});
