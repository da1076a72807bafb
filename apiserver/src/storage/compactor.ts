import type { Store } from "./store.js";

/** The store to compact, and the interval. */
export interface CompactorOptions {
  readonly store: Store;
  /** Interval in milliseconds (`--etcd-compaction-interval`). */
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Forgets history that is older than one interval: every interval, the version that was current at the last turn
 * becomes the oldest that can still be read. A continue token or a watch therefore lives for one interval at least.
 */
export function startCompactor(options: CompactorOptions): Disposable {
  const { store, intervalMs, onError } = options;
  let previous: number | undefined;
  const turn = async (): Promise<void> => {
    try {
      if (previous !== undefined) {
        await store.compact(previous);
      }
      previous = await store.currentRevision();
    } catch (error) {
      onError(error);
    }
  };
  void turn();
  const timer = setInterval(() => void turn(), intervalMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
