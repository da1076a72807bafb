import type { Closer } from "@gatehouse/apiserver/server";
import { serverIdentity } from "./server-identity.js";
import type { WorkerGroup } from "./worker-group.js";

/**
 * Starts the controllers in the worker that is to run them, and at once in a server without workers. `start` gets the name
 * of the server. Returns a function that waits for their end, when the signal has aborted.
 */
export function startWhenLeading(
  workers: Pick<WorkerGroup, "leading"> | undefined,
  signal: AbortSignal,
  start: (identity: string) => { readonly stopped: Promise<void> },
): Closer {
  if (workers === undefined) {
    const { stopped } = start(serverIdentity());
    return () => stopped;
  }
  let stopped = Promise.resolve();
  void workers.leading.then((identity) => {
    if (!signal.aborted) {
      ({ stopped } = start(identity));
    }
  });
  return () => stopped;
}
