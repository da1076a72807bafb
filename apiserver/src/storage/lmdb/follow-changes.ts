import type { ChangeBatch, KeyInterval } from "../keyspace.js";
import { readChanges } from "./change-log.js";
import type { Environment } from "./environment.js";
import type { RevisionSignal } from "./revision-signal.js";
import { WatchPosition } from "./watch-position.js";

/** The changes to follow, and the parts of the store that tell of them. */
export interface FollowChangesOptions {
  readonly environment: Environment;
  readonly signal: RevisionSignal;
  readonly keys: KeyInterval;
  /** Reports whether a key is one of them. */
  readonly isWanted: (key: string) => boolean;
  readonly afterRevision: number;
  readonly stop: AbortSignal;
  readonly maxBatchBytes: number | undefined;
  /** The short way of the contract's `watch`. */
  readonly onCommitted: ((batch: ChangeBatch) => void) | undefined;
}

/** Delivers changes as the contract's `watch` says. */
export async function* followChanges(options: FollowChangesOptions): AsyncIterable<ChangeBatch> {
  const { environment, signal, keys, stop, maxBatchBytes } = options;
  using position = new WatchPosition(environment, options);
  while (!stop.aborted) {
    if (!environment.isAvailable) {
      await environment.available();
      continue;
    }
    const batch = readChanges(environment, { keys, afterRevision: position.revision, maxBatchBytes });
    environment.remapWhenDue();
    if (batch.revision > position.revision) {
      position.revision = batch.revision;
      yield batch;
    } else {
      await position.followCommits(() => signal.changed(() => position.revision, stop));
    }
  }
}
