import type { AuditRecorder } from "../audit/audit-recorder.js";
import { RequestAudit } from "../audit/request-audit.js";
import type { Filter } from "./filter.js";

/** Observes a request for the audit log before its user is known: failed authentication is recorded, too. */
export function followForAudit(recorder: AuditRecorder): Filter {
  return (context, next) => {
    const audit = new RequestAudit(recorder, context);
    context.audit = audit;
    context.exchange.observe(audit);
    return next(context);
  };
}
