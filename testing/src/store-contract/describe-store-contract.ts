import { describeStoreHistory } from "./history.js";
import { describeStoreReads } from "./reads.js";
import { describeStoreSharing } from "./sharing.js";
import type { StoreFixture } from "./store-under-test.js";
import { nodeTestRunner, type TestRunner } from "./test-runner.js";
import { describeStoreWatch } from "./watch.js";
import { describeStoreWatchHistory } from "./watch-history.js";
import { describeStoreWrites } from "./writes.js";

/**
 * Defines the suite that every implementation of `Store` (@gatehouse/server) passes. `createFixture` is called once for
 * each test. Tests are defined with node:test unless another runner is given.
 *
 * @example
 * ```ts
 * import { describe, it } from "vitest";
 *
 * describeStoreContract("my store", async () => await MyStoreFixture.create(), { describe, it });
 * ```
 */
export function describeStoreContract(
  name: string,
  createFixture: () => Promise<StoreFixture>,
  runner: TestRunner = nodeTestRunner,
): void {
  runner.describe(`store contract: ${name}`, () => {
    describeStoreWrites(createFixture, runner);
    describeStoreReads(createFixture, runner);
    describeStoreHistory(createFixture, runner);
    describeStoreWatch(createFixture, runner);
    describeStoreWatchHistory(createFixture, runner);
    describeStoreSharing(createFixture, runner);
  });
}
