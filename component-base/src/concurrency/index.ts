export { ConcurrencyLimit, type ConcurrencyLimitOptions } from "./concurrency-limit.js";
export { tryThread } from "./try-thread.js";
