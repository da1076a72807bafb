export type { CheckedPod, CheckOptions, Violation } from "./pod-security/check.js";
export { violationsInBrief, violationsInDetail, violationsOf } from "./pod-security/evaluate.js";
export {
  compareLevels,
  type Level,
  latestVersion,
  levelProblem,
  type PolicyVersion,
  parseLevel,
  parsePolicyVersion,
  versionProblem,
} from "./pod-security/level.js";
export {
  isEquivalent,
  isFullyPrivileged,
  isSameLevelVersion,
  type LevelVersion,
  levelVersionText,
  type Mode,
  type ParsedPolicy,
  type Policy,
  podSecurityPrefix,
  policyOf,
} from "./pod-security/policy.js";
export { KeyedBuckets, type KeyedBucketsOptions } from "./rate-limit/keyed-buckets.js";
export { TokenBucket } from "./rate-limit/token-bucket.js";
