export { AbacIndex } from "./abac/abac-index.js";
export type { AbacFile, AbacPolicy } from "./abac/abac-policy.js";
export { parseAbacFile } from "./abac/parse-abac-file.js";
export type { AccessUser, RequestedAccess } from "./access/requested-access.js";
export {
  type AuditedAccess,
  auditedAccess,
  isPathAccess,
  type PathAccess,
  type ResourceAccess,
} from "./access-suggestion/audited-access.js";
export { AccessObserver, type SeenAccess } from "./access-suggestion/seen-access.js";
export {
  type AccessSuggestion,
  type NamespacedRules,
  type SuggestionOptions,
  suggestAccess,
} from "./access-suggestion/suggest-access.js";
export { type UnusedAccess, unusedAccess } from "./access-suggestion/unused-access.js";
export {
  type AttributedEvent,
  type AuditAttributes,
  type AuditedRequest,
  type AuditedUser,
  auditAttributesOf,
} from "./audit/audit-attributes.js";
export {
  type AuditLevel,
  type AuditStage,
  auditLevels,
  auditStages,
  compareAuditLevels,
} from "./audit/audit-level.js";
export { auditPolicyErrors } from "./audit/check-audit-policy.js";
export { type AuditVerdict, type CompiledAuditPolicy, compileAuditPolicy } from "./audit/compile-audit-policy.js";
export { lowerEvent } from "./audit/lower-event.js";
export { omitManagedFields } from "./audit/omit-managed-fields.js";
export { type AuditPolicyReading, parseAuditPolicy, readAuditPolicy } from "./audit/read-audit-policy.js";
export {
  type RuleVolume,
  type Volume,
  VolumeForecast,
  type VolumeReport,
} from "./audit-volume/volume-forecast.js";
export type { AuthorizationRules, RbacObject } from "./authorization-rules/authorization-rules.js";
export { authorizationRulesProblems } from "./authorization-rules/check-authorization-rules.js";
export {
  type AccessVerdict,
  type CompiledAuthorizationRules,
  compileAuthorizationRules,
} from "./authorization-rules/compile-authorization-rules.js";
export type { DocumentProblem } from "./document-problem/document-problem.js";
export { imageRulesProblems } from "./image-rules/check-image-rules.js";
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
export { parseQuery } from "./request-info/parse-query.js";
export { isTrue, type RequestInfo, resolveRequestInfo, unresolvedRequest } from "./request-info/request-info.js";
