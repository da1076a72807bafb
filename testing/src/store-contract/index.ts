export { describeStoreContract } from "./describe-store-contract.js";
export type { StoreFixture } from "./store-fixture.js";
export {
  collectUntil,
  create,
  followUntil,
  openWatch,
  remove,
  revisionOf,
  seededRandom,
  summarize,
  update,
} from "./store-operations.js";
export type { TestRunner } from "./test-runner.js";
