export {
  copyIfEmpty,
  type DefaultingFunction,
  type DefaultingFunctions,
  setIfAbsent,
  setIfZero,
} from "./defaulting-function.js";
export { createDefaulting, type Defaulting } from "./defaulting-plan.js";
export { applyStructuralDefaults, leadsToDefaults, maxDefaultedBytes } from "./structural-defaults.js";
