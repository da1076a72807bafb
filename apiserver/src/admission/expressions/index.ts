export {
  compileTypedExpression as compileAdmissionExpression,
  type ReturnType,
  type TypedExpression as AdmissionExpression,
} from "../../expressions/compile-typed-expression.js";
export { admissionDeclarations, type ExpressionAge, type OptionalVariables } from "./admission-declarations.js";
export { AdmissionVariables, type AdmissionVariablesInit } from "./admission-variables.js";
export { type ComposedVariable, ComposedVariables, VariableComposer } from "./composed-variables.js";
export { type EndedEvaluation, evaluateAwaiting } from "./evaluate-awaiting.js";
export {
  type ExpressionResult,
  evaluateExpressions,
  expressionCostLimit,
  type ListContext,
  type ListedExpression,
  type ListResult,
} from "./evaluate-expressions.js";
export {
  type MatchConditionMetrics,
  type MatchConditionOwner,
  matchConditionMetrics,
} from "./match-condition-metrics.js";
export { MatchConditions, type MatchConditionsInit, type MatchOutcome } from "./match-conditions.js";
export { namespaceObjectOf } from "./namespace-object.js";
export { type VersionedObjects, versionedObjects } from "./versioned-objects.js";
