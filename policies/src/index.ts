export { TokenBucket } from "./rate-limit/token-bucket.js";
