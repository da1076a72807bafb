export { describeStoreContract } from "./describe-store-contract.js";
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
export type { StoreFixture } from "./store-under-test.js";
export type { TestRunner } from "./test-runner.js";
