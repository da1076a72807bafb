import type { Caller } from "../request/caller.js";

/** Waits for the store, and tells the audit log for how long: slow requests say so. */
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

/** What is done in the middle of a wait for the store does not count as one: a change is decided there. */
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
