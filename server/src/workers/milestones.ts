import type { WorkerGroup } from "./worker-group.js";

/** Work of the controllers that every worker waits for before it is ready. */
export interface Milestones<N extends string> {
  /** Notes in all workers that the work is done. */
  reach(name: N): void;
}

/** Opens milestones. Each function is called once in every worker, when its work is done by the one that does it. */
export function openMilestones<N extends string>(
  workers: Pick<WorkerGroup, "announce" | "onFact"> | undefined,
  onReached: Readonly<Record<N, () => void>>,
): Milestones<N> {
  if (workers === undefined) {
    return { reach: (name) => onReached[name]() };
  }
  for (const [name, reached] of Object.entries<() => void>(onReached)) {
    workers.onFact(name, reached);
  }
  return { reach: (name) => workers.announce(name) };
}
