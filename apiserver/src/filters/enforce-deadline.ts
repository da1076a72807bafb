import { parseDuration } from "@gatehouse/envelopes/go";
import { badRequest, timeout } from "@gatehouse/envelopes/status";
import type { Handler, MaybePromise } from "../request/handler.js";
import { isLongRunning } from "../request/long-running.js";
import type { RequestContext } from "../request/request-context.js";
import { type Filter, isPromise } from "./filter.js";

export { isLongRunning };

/** Verbs that v1.29 limits to 34 s, whatever `--request-timeout` says. */
const writes = new Set(["create", "update", "patch", "delete"]);
const maxWriteMs = 34_000;

/**
 * Answers 504 when a request takes longer than `--request-timeout`, or than its own shorter `timeout` parameter, and
 * aborts its signal so that the work stops too. Requests that never wait cost nothing.
 */
export function enforceDeadline(requestTimeoutMs: number): Filter {
  return (context: RequestContext, next: Handler): MaybePromise<void> => {
    if (isLongRunning(context)) {
      return next(context);
    }
    const limitMs = Math.min(requestTimeoutMs, askedTimeoutMs(context) ?? requestTimeoutMs);
    const isWrite = writes.has(context.info.verb);
    const timeoutMs = isWrite ? Math.min(limitMs, maxWriteMs) : limitMs;
    context.deadlineMs = context.receivedAtMs + timeoutMs;
    const outcome = next(context);
    return isPromise(outcome) ? race(context, outcome, timeoutMs, timeoutMs < limitMs) : outcome;
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

function race(context: RequestContext, work: Promise<void>, timeoutMs: number, isWriteLimit: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = timeout(
        isWriteLimit
          ? "request did not complete within requested timeout - context deadline exceeded"
          : "request did not complete within the allotted timeout",
      );
      context.abort(error);
      reject(error);
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
