import { randomUUID } from "node:crypto";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";

/**
 * The limit of an audit ID in characters. v1.29 has none, but the ID is repeated in every answer and line of the log.
 */
const maxAuditIdLength = 1024;

/** Gives every request an audit ID before anything can fail. A client may bring its own, as in v1.29. */
export function assignAuditId(context: RequestContext, next: Handler): MaybePromise<void> {
  const offered = context.header("audit-id") ?? "";
  context.auditID = offered !== "" && offered.length <= maxAuditIdLength ? offered : randomUUID();
  return next(context);
}
