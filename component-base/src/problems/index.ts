export { formatProblems, type Problem, problemAt } from "./problem.js";
export { isSystemError } from "./system-error.js";
export { yamlProblem } from "./yaml-problem.js";
