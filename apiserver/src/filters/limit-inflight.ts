import { endWith } from "@gatehouse/envelopes/scheduling";
import { mastersGroup } from "../authorization/privileged-groups.js";
import { type InflightCounts, kindOfVerb, type RequestLimits } from "../flow-control/index.js";
import { isLongRunning } from "./enforce-deadline.js";
import type { Filter } from "./filter.js";
import type { RequestTerminations } from "./request-terminations.js";
import { sayTooManyRequests } from "./say-too-many-requests.js";

/** The seconds after which a client may try again. */
const retryAfterSeconds = 1;

/**
 * Limits the number of requests under way, reads and writes each by themselves; 0 is no limit. Long-running requests do
 * not count, and `system:masters` always get an answer.
 */
export function limitInflight(
  limits: RequestLimits,
  counts: InflightCounts,
  terminations: Pick<RequestTerminations, "turnedAway">,
): Filter {
  const limitOf = { readOnly: limits.maxReadOnly, mutating: limits.maxMutating };
  for (const kind of ["readOnly", "mutating"] as const) {
    counts.limit("executing", kind, limitOf[kind]);
  }
  return (context, next) => {
    const kind = kindOfVerb(context.info.verb);
    const limit = limitOf[kind];
    if (limit === 0 || isLongRunning(context)) {
      return next(context);
    }
    if (counts.executing(kind) >= limit) {
      if (context.user.groups.includes(mastersGroup)) {
        return next(context);
      }
      terminations.turnedAway(context);
      return sayTooManyRequests(context, retryAfterSeconds);
    }
    counts.change("executing", kind, 1, performance.now());
    return endWith(
      () => next(context),
      () => counts.change("executing", kind, -1, performance.now()),
    );
  };
}
