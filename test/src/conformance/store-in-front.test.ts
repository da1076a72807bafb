import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";
import { StoreRefusedError, StoreUnusableError } from "@gatehouse/apiserver/errors";
import { backingNames, openFrontStore } from "@gatehouse/apiserver/extension/front-store";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { openWatch, summarize } from "@gatehouse/testing/store-contract";
import { StoresInFront } from "../support/stores-in-front.js";
import { until } from "../support/until.js";

for (const backing of backingNames) {
  describe(`a store in ${backing} of a control plane`, () => {
    let controlPlane: ControlPlane;
    let stores: StoresInFront;
    before(async () => {
      controlPlane = await startControlPlane();
      stores = await StoresInFront.prepare(controlPlane, backing);
    });
    after(() => controlPlane.stop());

    it("tells its watches of changes again after the front has restarted", async () => {
      await using fixture = await stores.create();
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

    it("tells what the front says where it may not read or write", async () => {
      const { clientConfig } = await controlPlane.addUser({ name: "nobody" });
      await assert.rejects(stores.open("default", clientConfig), (error) => {
        return (
          error instanceof StoreRefusedError &&
          /User "nobody" cannot list resource "(configmaps|records)"/.test(error.message)
        );
      });
      await assert.rejects(stores.open("nowhere"), /"nowhere" not found/);
    });
  });
}

test("a store in custom resources whose definition is missing does not open, and says which one it is", async () => {
  await using controlPlane = await startControlPlane();
  const { clientConfig: front } = controlPlane;
  const options = { front, backing: "customresources", namespace: "default", name: "shop" } as const;
  await assert.rejects(openFrontStore(options), (error) => {
    return error instanceof StoreUnusableError && error.message.includes("records.shop.storage.gatehouse.dev");
  });
});
