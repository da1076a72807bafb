export { ConfigurationError, formatProblems, type Problem, problemAt } from "./configuration-error.js";
export { isSystemError } from "./system-error.js";
export { yamlProblem } from "./yaml-problem.js";
