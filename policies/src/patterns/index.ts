export { compilePattern, matchWork, type Pattern } from "./compile-pattern.js";
export { patternOf } from "./known-patterns.js";
