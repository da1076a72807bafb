export { ConcurrencyLimit, type ConcurrencyLimitOptions } from "./concurrency-limit.js";
