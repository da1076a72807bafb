import type { Store } from "./store.js";

/** What to compact, and how often. */
export interface CompactorOptions {
  readonly store: Store;
  /** `--etcd-compaction-interval` in milliseconds. */
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Forgets history that is older than one interval: every interval, what was current at the last turn becomes the oldest
 * version that can still be read. A continue token or a watch therefore lives for one interval at least.
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
