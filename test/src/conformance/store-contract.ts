import { describe } from "node:test";
import type { StoreFixture } from "./store-fixture.js";
import { describeStoreHistory } from "./store-history-contract.js";
import { describeStoreReads } from "./store-read-contract.js";
import { describeStoreSharing } from "./store-sharing-contract.js";
import { describeStoreWatch } from "./store-watch-contract.js";
import { describeStoreWrites } from "./store-write-contract.js";

/** The suite that every implementation of the Store contract passes (see server/src/storage/store.ts). */
export function describeStoreContract(name: string, createFixture: () => Promise<StoreFixture>): void {
  describe(`store contract: ${name}`, () => {
    describeStoreWrites(createFixture);
    describeStoreReads(createFixture);
    describeStoreHistory(createFixture);
    describeStoreWatch(createFixture);
    describeStoreSharing(createFixture);
  });
}
