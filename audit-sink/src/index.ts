export type { AuditSinkConfig } from "./config/audit-sink-config.js";
export { readConfig } from "./config/read-config.js";
export { type AuditLog, type AuditLogOptions, openAuditLog } from "./log/audit-log.js";
export { type KeptEvent, type LogBatch, LogWriteError, type NewBatch } from "./log/log-batch.js";
