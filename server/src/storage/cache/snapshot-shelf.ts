import type { Snapshot } from "./snapshot.js";

/** As long as a continue token lives. */
const lifetimeMs = 5 * 60 * 1000;
/** More lists than these under way at once are served by undoing events, or from the store. */
const maxSnapshots = 64;

/** Snapshots that the next page of some list will ask for. The least recently used goes first. */
export class SnapshotShelf {
  readonly #now: () => number;
  readonly #snapshots = new Map<number, { readonly snapshot: Snapshot; readonly expiresAt: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(revision: number): Snapshot | undefined {
    const kept = this.#snapshots.get(revision);
    if (kept !== undefined) {
      this.put(kept.snapshot);
    }
    return kept?.snapshot;
  }

  put(snapshot: Snapshot): void {
    this.#snapshots.delete(snapshot.revision);
    this.#snapshots.set(snapshot.revision, { snapshot, expiresAt: this.#now() + lifetimeMs });
    this.prune();
  }

  /** Lets go of what nobody has used for long. To be called now and then. */
  prune(): void {
    for (const [revision, { expiresAt }] of this.#snapshots) {
      if (this.#snapshots.size <= maxSnapshots && expiresAt > this.#now()) {
        return;
      }
      this.#snapshots.delete(revision);
    }
  }
}
