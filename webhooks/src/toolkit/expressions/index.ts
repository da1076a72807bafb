// The entry point `@gatehouse/webhooks/expressions`: hooks made of expressions, which are printed as policies.
export type { Absent, AbsentPath, Expression, Operand, Path } from "./expression.js";
export {
  all,
  and,
  choose,
  concat,
  contains,
  elementAt,
  endsWith,
  entry,
  eq,
  exists,
  filter,
  ge,
  gt,
  has,
  isIn,
  join,
  le,
  lowerAscii,
  lt,
  map,
  matches,
  ne,
  not,
  or,
  orValue,
  size,
  startsWith,
  text,
  variable,
} from "./functions.js";
export {
  type PolicyHookOptions,
  type PolicySubject,
  policyHook,
  type Validation,
} from "./policy-hook.js";
export { type PolicyAction, type PolicyHook, type PrintedPolicy, policyObjects } from "./print-policy.js";
export type { RequestFacts } from "./request-facts.js";
export type { ValidationReason } from "./validation-reason.js";
export { ExpressionError } from "./values.js";
