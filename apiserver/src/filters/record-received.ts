import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";
import type { FilterMetrics } from "./filter-metrics.js";
import { sendInternalError } from "./send-internal-error.js";

/** Evaluates the audit policy for the authenticated user, and records that the request was received. */
export function recordReceived(metrics: Pick<FilterMetrics, "audit">): Filter {
  return (context, next) => record(context, next, metrics);
}

function record(context: RequestContext, next: Handler, metrics: Pick<FilterMetrics, "audit">): MaybePromise<void> {
  const recorded = context.audit?.requestReceived() ?? true;
  const goOn = (isRecorded: boolean): MaybePromise<void> => {
    const now = performance.now();
    metrics.audit.observe((now - context.filteredAtMs) / 1000);
    context.filteredAtMs = now;
    return isRecorded ? next(context) : sendInternalError(context, new Error("failed to store audit event"));
  };
  return recorded instanceof Promise ? recorded.then(goOn) : goOn(recorded);
}
