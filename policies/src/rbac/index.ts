export { missingRolesText, missingRoleText } from "./binding-record.js";
export { closestRules, type NearRule, nearRuleText } from "./closest-rules.js";
export { type BindingSpec, bindingSpecOf, type PolicyRule, policyRulesOf, type RoleRef } from "./policy-rule.js";
export { type HeldRules, RbacIndex, type RbacVerdict } from "./rbac-index.js";
export { type Uncovered, uncoveredRules } from "./rule-coverage.js";
export { ruleAllows } from "./rule-match.js";
export { compactRules, quotedList, ruleText } from "./rule-text.js";
