import { parseDuration } from "@gatehouse/envelopes/go";
import { badRequest, timeout } from "@gatehouse/envelopes/status";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { HeaderFields } from "../request/header-fields.js";
import { isLongRunning } from "../request/long-running.js";
import type { RequestContext } from "../request/request-context.js";
import { type Filter, isPromise } from "./filter.js";
import type { FilterMetrics, PostTimeoutStatus } from "./filter-metrics.js";
import type { RequestTerminations } from "./request-terminations.js";
import { sayOutOfTime } from "./say-out-of-time.js";

export { isLongRunning };

/** Verbs that v1.29 limits to 34 s in its own handlers, whatever `--request-timeout` says. */
const writes = new Set(["create", "update", "patch", "delete"]);
const maxWriteMs = 34_000;

/**
 * Answers 504 when a request takes longer than `--request-timeout`, or than its own shorter `timeout` parameter, and
 * aborts its signal so that the work stops too. Requests that never wait cost nothing. `isDelegated` reports whether
 * another server answers for a path, which has limits of its own for writes.
 */
export function enforceDeadline(
  requestTimeoutMs: number,
  metrics: DeadlineMetrics,
  isDelegated: (path: string) => boolean = () => false,
): Filter {
  return (context: RequestContext, next: Handler): MaybePromise<void> => {
    if (isLongRunning(context)) {
      return next(context);
    }
    const limitMs = Math.min(requestTimeoutMs, askedTimeoutMs(context) ?? requestTimeoutMs);
    const isWrite = writes.has(context.info.verb) && !isDelegated(context.path);
    const timeoutMs = isWrite ? Math.min(limitMs, maxWriteMs) : limitMs;
    context.deadlineMs = context.receivedAtMs + timeoutMs;
    const { fields } = context;
    const outcome = next(context);
    return isPromise(outcome)
      ? race(context, outcome, { timeoutMs, isWriteLimit: timeoutMs < limitMs, fields, metrics })
      : outcome;
  };
}

function askedTimeoutMs(context: RequestContext): number | undefined {
  const asked = context.query.get("timeout");
  if (asked === null || asked === "") {
    return undefined;
  }
  try {
    const ms = Number(parseDuration(asked)) / 1e6;
    return ms > 0 ? ms : undefined;
  } catch (error) {
    const detail = error instanceof Error ? error.message : "not a duration";
    throw badRequest(`invalid timeout specified in the request URL - ${detail}`, error);
  }
}

type DeadlineMetrics = Pick<FilterMetrics, "postTimeout"> & Pick<RequestTerminations, "timedOut">;

/** The time that work may take, and the metrics that tell of work which takes longer. */
interface Limit {
  readonly timeoutMs: number;
  /** True if the limit is that of writes and not the client's or the server's. */
  readonly isWriteLimit: boolean;
  /** The headers of the answer that were set before the time began. */
  readonly fields: HeaderFields;
  readonly metrics: DeadlineMetrics;
}

/** The time in milliseconds after which work that goes on after its deadline counts as pending, as in v1.29. */
const postTimeoutMs = 300_000;

function race(
  context: RequestContext,
  work: Promise<void>,
  { timeoutMs, isWriteLimit, fields, metrics }: Limit,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = timeout(
        isWriteLimit
          ? "request did not complete within requested timeout - context deadline exceeded"
          : "request did not complete within the allotted timeout",
      );
      metrics.timedOut(context);
      followAfterTimeout(work, metrics);
      context.abort(error);
      // v1.29 tells of the limit of writes in a Status; an answer that has begun can only be broken off.
      if (isWriteLimit || context.exchange.status !== 0) {
        reject(error);
      } else {
        sayOutOfTime(context, error.status, fields);
        resolve();
      }
    }, timeoutMs);
    work.then(
      () => {
        clearTimeout(timer);
        resolve();
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Counts the outcome of work whose request has timed out. */
function followAfterTimeout(work: Promise<void>, metrics: DeadlineMetrics): void {
  let isCounted = false;
  const count = (status: PostTimeoutStatus): void => {
    clearTimeout(timer);
    if (!isCounted) {
      isCounted = true;
      metrics.postTimeout(status);
    }
  };
  const timer = setTimeout(() => count("pending"), postTimeoutMs).unref();
  work.then(
    () => count("ok"),
    () => count("error"),
  );
}
