export { type CompiledImageRules, compileImageRules } from "./compile-image-rules.js";
export type { ImageUse, ImageVerdict } from "./image-verdict.js";
export { imageRulesProblems } from "./validate-image-rules.js";
