export { compileKeepingRootSchema, compileRootSchema } from "./compile-schema.js";
export { type CompiledRule, compileRules, type Environments, type ObserveRules } from "./rules/compile-rules.js";
export { costBudgetOfObject } from "./rules/cost-limits.js";
export { declareSchema, maxRequestBytes } from "./rules/declare-schema.js";
export { celTypeOf, type DeclaredType, partOf, sizeAt } from "./rules/declared-type.js";
export { escapedName } from "./rules/escaped-names.js";
export { evaluateRules, type RuleError } from "./rules/evaluate-rules.js";
export type { ExpressionMetrics } from "./rules/expression-metrics.js";
export {
  estimatedCost,
  estimatedRuleCost,
  maxValuesBelow,
  ruleCostProblem,
  TotalRuleCost,
} from "./rules/rule-costs.js";
export { normalFieldPath } from "./rules/rule-field-path.js";
export { rulesOfSchema } from "./rules/rule-node.js";
export { rulesOf } from "./rules/validation-rule.js";
export { type StructuralFindings, StructuralKind } from "./structural-kind.js";
export { CompiledSchema } from "./validation/compiled-schema.js";
export { embeddedObjectErrors } from "./validation/embedded-objects.js";
export {
  findAt,
  integerFoundAt,
  type ScalePaths,
  scalePathsOf,
  stepsOf,
  textFoundAt,
} from "./validation/scale-paths.js";
export { toFieldErrors } from "./validation/schema-error.js";
export { NodeMeter, validateValue } from "./validation/validate-value.js";
export { ValidationResult } from "./validation/validation-result.js";
