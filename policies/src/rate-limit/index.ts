export { KeyedBuckets, type KeyedBucketsOptions } from "./keyed-buckets.js";
export { TokenBucket } from "./token-bucket.js";
