import type { Closer } from "@gatehouse/apiserver/server";
import type { WorkerGroup } from "./worker-group.js";

/**
 * Starts the controllers in the worker that is to run them, and at once in a server without workers. Returns a function
 * that waits for their end, when the signal has aborted.
 */
export function startWhenLeading(
  workers: Pick<WorkerGroup, "leading"> | undefined,
  signal: AbortSignal,
  start: () => { readonly stopped: Promise<void> },
): Closer {
  if (workers === undefined) {
    const { stopped } = start();
    return () => stopped;
  }
  let stopped = Promise.resolve();
  void workers.leading.then(() => {
    if (!signal.aborted) {
      ({ stopped } = start());
    }
  });
  return () => stopped;
}
