export { KeyedBuckets, type KeyedBucketsOptions } from "./rate-limit/keyed-buckets.js";
export { TokenBucket } from "./rate-limit/token-bucket.js";
