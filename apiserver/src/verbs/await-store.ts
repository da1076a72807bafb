import type { Caller } from "../request/caller.js";
import { inSpan } from "../request/request-trace.js";

/** Waits for the store, and reports the time to the audit log, which shows it for slow requests, and to the trace. */
export function awaitStore<T>({ audit, trace }: Pick<Caller, "audit" | "trace">, work: () => Promise<T>): Promise<T> {
  if (trace !== undefined) {
    return inSpan(trace, "Storage", () => awaitStore({ audit }, work));
  }
  return audit === undefined ? work() : reportWait(audit, work);
}

async function reportWait<T>(audit: NonNullable<Caller["audit"]>, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    audit.waitedFor("etcd", performance.now() - startedAt);
  }
}

/** Wraps `decide` so that its time does not count as a wait for the store: a change is decided in the middle of one. */
export function besideStore<A, T>(
  { audit }: Pick<Caller, "audit">,
  decide: (argument: A) => Promise<T>,
): (argument: A) => Promise<T> {
  if (audit === undefined) {
    return decide;
  }
  return async (argument) => {
    const startedAt = performance.now();
    try {
      return await decide(argument);
    } finally {
      audit.waitedFor("etcd", startedAt - performance.now());
    }
  };
}
