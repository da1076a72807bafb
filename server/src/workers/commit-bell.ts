import type { WorkerGroup } from "./worker-group.js";

const topic = "committed";

/** Shortest time in milliseconds between two messages of a worker that writes all the time. */
const restMs = 5;

/**
 * Tells other workers at once when this one has committed something, so that their watches need not look for it often.
 * `onRing` is called when another worker has. Returns the function that rings.
 */
export function openCommitBell(workers: Pick<WorkerGroup, "tell" | "onTold">, onRing: () => void): () => void {
  let isResting = false;
  let hasMore = false;
  workers.onTold(topic, onRing);
  const ring = (): void => {
    if (isResting) {
      hasMore = true;
      return;
    }
    workers.tell(topic);
    isResting = true;
    setTimeout(() => {
      isResting = false;
      if (hasMore) {
        hasMore = false;
        ring();
      }
    }, restMs).unref();
  };
  return ring;
}
