export type { CheckedExpression } from "./checker/check-expression.js";
export { childrenOf } from "./checker/children-of.js";
export type { Declarations } from "./checker/declarations.js";
export { type CompiledExpression, compileExpression } from "./compile-expression.js";
export type { SizeEstimator } from "./cost/estimate-cost.js";
export type { Range } from "./cost/range.js";
export { newExpressions, storedExpressions } from "./environment.js";
export type { Evaluation, Program, Variables } from "./evaluation/compile-program.js";
export type { EvaluationObserver, ObserveExpression } from "./evaluation/evaluation-observer.js";
export { EvaluationProgress } from "./evaluation/evaluation-progress.js";
export { ProgramError } from "./evaluation/program-error.js";
export {
  type AccessDecision,
  type AccessQuestion,
  type AuthorizationSource,
  type AuthorizerValue,
  authorizerType,
  authorizerValue,
  type ResourceParts,
  requestResourceValue,
  resourceCheckType,
} from "./libraries/authorizer/index.js";
export { CompileError, type CompileProblem } from "./syntax/compile-error.js";
export {
  type Compilation,
  type CompilationOptions,
  type CompilationSteps,
  type ProblematicExpression,
  type ProblemOfType,
  tryCompileExpression,
} from "./try-compile-expression.js";
export * from "./types/cel-type.js";
export { objectType } from "./types/object-type.js";
export { qualifiedTypeText } from "./types/type-text.js";
export { CostLimitExceeded, EvaluationError } from "./values/evaluation-error.js";
export { toJson } from "./values/json.js";
export { PendingAnswer } from "./values/pending-answer.js";
export {
  BoxedDouble,
  CelList,
  CelMap,
  CelObject,
  type CelValue,
  Duration,
  OpaqueValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from "./values/value.js";
export { workOfLastEvaluation } from "./values/work.js";
