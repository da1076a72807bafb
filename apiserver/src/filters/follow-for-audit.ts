import type { AuditRecorder } from "../audit/audit-recorder.js";
import { RequestAudit } from "../audit/request-audit.js";
import type { Stage } from "./stage.js";

/** Observes a request for the audit log before its user is known: failed authentication is recorded, too. */
export function followForAudit(recorder: AuditRecorder): Stage {
  return (context, next) => {
    const audit = new RequestAudit(recorder, context);
    context.audit = audit;
    context.exchange.observe(audit);
    return next(context);
  };
}
