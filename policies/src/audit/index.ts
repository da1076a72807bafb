export {
  type AttributedEvent,
  type AuditAttributes,
  type AuditedRequest,
  type AuditedUser,
  auditAttributesOf,
} from "./audit-attributes.js";
export { type AuditLevel, type AuditStage, auditLevels, auditStages, compareAuditLevels } from "./audit-level.js";
export { type AuditVerdict, type CompiledAuditPolicy, compileAuditPolicy } from "./compile-audit-policy.js";
export { lowerEvent } from "./lower-event.js";
export { omitManagedFields } from "./omit-managed-fields.js";
export { type AuditPolicyReading, parseAuditPolicy, readAuditPolicy } from "./read-audit-policy.js";
export { auditPolicyErrors } from "./validate-audit-policy.js";
