export type { AuthorizationRules, RbacObject } from "./authorization-rules.js";
export {
  type AccessVerdict,
  type CompiledAuthorizationRules,
  compileAuthorizationRules,
} from "./compile-authorization-rules.js";
export { authorizationRulesProblems } from "./validate-authorization-rules.js";
