export { AbacIndex } from "./abac/abac-index.js";
export type { AbacFile, AbacPolicy } from "./abac/abac-policy.js";
export { parseAbacFile } from "./abac/parse-abac-file.js";
export type { AccessUser, RequestedAccess } from "./access/requested-access.js";
export { type ImageRulesProblem, imageRulesProblems } from "./image-rules/check-image-rules.js";
export { type CompiledImageRules, compileImageRules } from "./image-rules/compile-image-rules.js";
export type { ImageUse, ImageVerdict } from "./image-rules/image-verdict.js";
export { imageReferenceProblem } from "./images/check-image-reference.js";
export { type ImageReference, isImageBelow, parseImageReference } from "./images/image-reference.js";
export { addDefaultTolerations } from "./library/default-tolerations.js";
export { imageRegistries } from "./library/image-registries.js";
export { noLatestTag } from "./library/no-latest-tag.js";
export { requiredLabels } from "./library/required-labels.js";
export { resourceLimits } from "./library/resource-limits.js";
export { defaultSidecarAnnotation, injectSidecars } from "./library/sidecar-injector.js";
export type { Violation } from "./library/violation.js";
export { NodeGraph } from "./node-access/node-graph.js";
export { decideForNode, nodeNameOf } from "./node-access/node-verdict.js";
export type { CheckedPod, CheckOptions, PodSecurityViolation } from "./pod-security/check.js";
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
export { missingRolesText, missingRoleText } from "./rbac/binding-record.js";
export { closestRules, type NearRule, nearRuleText } from "./rbac/closest-rules.js";
export { type BindingSpec, bindingSpecOf, type PolicyRule, policyRulesOf, type RoleRef } from "./rbac/policy-rule.js";
export { type HeldRules, RbacIndex, type RbacVerdict } from "./rbac/rbac-index.js";
export { type Uncovered, uncoveredRules } from "./rbac/rule-coverage.js";
export { compactRules, quotedList, ruleText } from "./rbac/rule-text.js";
