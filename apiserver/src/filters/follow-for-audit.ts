import type { AuditRecorder } from "../audit/audit-recorder.js";
import { RequestAudit } from "../audit/request-audit.js";
import type { Stage } from "./stage.js";

/** Has a request observed for the audit log, before it is known who asks: failed authentication is recorded, too. */
export function followForAudit(recorder: AuditRecorder): Stage {
  return (context, next) => {
    const audit = new RequestAudit(recorder, context);
    context.audit = audit;
    context.exchange.observe(audit);
    return next(context);
  };
}
