import type { ServerLog } from "../logs/server-log.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { isLongRunning } from "./enforce-deadline.js";
import type { Filter } from "./filter.js";
import type { FilterMetrics } from "./filter-metrics.js";
import type { RequestMetrics } from "./request-metrics.js";

/** Counts and times every request, and logs those that were slow or failed. */
export function measureRequest(
  metrics: RequestMetrics,
  filterMetrics: Pick<FilterMetrics, "aborted">,
  log: ServerLog,
): Filter {
  return (context: RequestContext, next: Handler): MaybePromise<void> => {
    context.exchange.whenClosed(() => {
      const durationMs = performance.now() - context.receivedAtMs;
      const code = context.exchange.status;
      // v1.29's metrics know no code of a connection that was taken over.
      metrics.finished(context, context.exchange.isUpgraded ? 0 : code, durationMs / 1000);
      if (context.isBrokenOff) {
        filterMetrics.aborted(context);
      }
      if (code >= 500 || !isLongRunning(context)) {
        log.request(context, code, durationMs);
      }
    });
    return next(context);
  };
}
