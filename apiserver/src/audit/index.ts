export type { AuditBackend, AuditLosses } from "./audit-backend.js";
export type { AuditEvent } from "./audit-event.js";
export type { AuditProcesses, FileSharing } from "./audit-processes.js";
export type { AuditDelivery } from "./outputs/audit-delivery.js";
export { auditFlags } from "./outputs/audit-flags.js";
export type { AuditOutput, AuditOutputParts, AuditOutputType } from "./outputs/audit-output.js";
export { type AuditOptions, resolveAudit } from "./outputs/resolve-audit.js";
