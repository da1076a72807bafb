import type { Caller } from "../request/caller.js";

/** Waits for the store, and reports the time to the audit log, which shows it for slow requests. */
export async function awaitStore<T>({ audit }: Pick<Caller, "audit">, work: () => Promise<T>): Promise<T> {
  if (audit === undefined) {
    return work();
  }
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
