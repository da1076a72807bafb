export { createDefaulting, type Defaulting } from "./defaulting-plan.js";
export { copyIfEmpty, type DefaultingRule, type DefaultingRules, setIfAbsent, setIfZero } from "./defaulting-rule.js";
export { applyStructuralDefaults, maxDefaultedBytes, TooManyDefaultsError } from "./structural-defaults.js";
