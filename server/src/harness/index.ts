export { CapturedStore } from "./captured-store.js";
export type { HarnessParts } from "./harness-parts.js";
