export type { CheckedPod, CheckOptions, PodSecurityViolation } from "./check.js";
export { violationsInBrief, violationsInDetail, violationsOf } from "./evaluate.js";
export {
  compareLevels,
  type Level,
  latestVersion,
  levelProblem,
  type PolicyVersion,
  parseLevel,
  parsePolicyVersion,
  versionProblem,
} from "./level.js";
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
} from "./policy.js";
