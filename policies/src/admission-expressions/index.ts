export { admissionDeclarations, type ExpressionAge, type OptionalVariables } from "./admission-declarations.js";
export { AdmissionVariables, type AdmissionVariablesInit } from "./admission-variables.js";
export {
  type AdmissionWrite,
  type ExpressionSource,
  isSameKind,
  type ServedForm,
  type ServedForms,
  type VersionedObjects,
} from "./admission-write.js";
export { compileTypedExpression, type ReturnType, type TypedExpression } from "./compile-typed-expression.js";
export { type ComposedVariable, VariableComposer } from "./composed-variables.js";
export type { ListedExpression } from "./evaluate-expressions.js";
export { MatchConditions, type MatchConditionsInit, type MatchOutcome } from "./match-conditions.js";
export type {
  MatchedResources,
  MatchResources,
} from "./matching/match-resources.js";
export { matchedForms, type RuledWrite, type Rules } from "./matching/matched-forms.js";
export { compileResourceRule, type ResourceRule, type WriteToMatch } from "./matching/resource-rule.js";
export { type Selector, selectorAt } from "./matching/selector.js";
export { type Labels, type NamespaceLabels, type Selectors, WriteSelectors } from "./matching/write-selectors.js";
export { namespaceObjectOf } from "./namespace-object.js";
export type {
  AnnotationResult,
  PolicyDecision,
  PolicyResult,
} from "./policies/evaluate-policy.js";
export { type ParamKind, Policy } from "./policies/policy.js";
export { compileBinding, type ParamRef, type PolicyBinding, type ValidationAction } from "./policies/policy-binding.js";
export {
  type BindingCandidate,
  type PolicyCandidate,
  policiesAreAskedAbout,
  policyCandidates,
} from "./policies/policy-candidates.js";
export type {
  EnforcementAction,
  ObservedDecision,
  PolicyDispatch,
  PolicyObserver,
  PolicyWrite,
} from "./policies/policy-dispatch.js";
export {
  type ParamObjects,
  type ParamReader,
  type ParamResource,
  PolicyParams,
} from "./policies/policy-params.js";
export {
  type ObservePolicy,
  type PolicyAnnotation,
  PolicyProgram,
  type PolicyValidation,
} from "./policies/policy-program.js";
export { PolicyRun } from "./policies/policy-run.js";
export { extraType, userInfoType } from "./user-info-type.js";
