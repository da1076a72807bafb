export { imageRulesProblems } from "./check-image-rules.js";
export { type CompiledImageRules, compileImageRules } from "./compile-image-rules.js";
export type { ImageUse, ImageVerdict } from "./image-verdict.js";
