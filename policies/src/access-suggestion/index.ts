export {
  type AuditedAccess,
  auditedAccess,
  isPathAccess,
  type PathAccess,
  type ResourceAccess,
} from "./audited-access.js";
export { AccessObserver, type SeenAccess } from "./seen-access.js";
export {
  type AccessSuggestion,
  type NamespacedRules,
  type SuggestionOptions,
  suggestAccess,
} from "./suggest-access.js";
export { type UnusedAccess, unusedAccess } from "./unused-access.js";
