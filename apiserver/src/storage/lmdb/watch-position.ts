import type { ChangeBatch, KeyChange } from "../keyspace.js";
import type { Commit, Environment } from "./environment.js";

/** The start of a watch, and the receiver of its commits. */
export interface WatchPositionOptions {
  readonly isWanted: (key: string) => boolean;
  readonly afterRevision: number;
  readonly stop: AbortSignal;
  readonly onCommitted: ((batch: ChangeBatch) => void) | undefined;
}

/**
 * The position of a watch. While the watch waits at the end of the log, a commit of this process that begins right
 * there is passed on from memory; all others (another process has committed in between, the reader is busy) are left to
 * the log.
 */
export class WatchPosition implements Disposable {
  /** The revision up to which every change has been delivered. */
  revision: number;
  readonly #environment: Environment;
  readonly #options: WatchPositionOptions;
  readonly #follow = (commit: Commit) => this.#passOn(commit);
  #isWaiting = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(environment: Environment, options: WatchPositionOptions) {
    this.revision = options.afterRevision;
    this.#environment = environment;
    this.#options = options;
    if (options.onCommitted !== undefined) {
      environment.commitFollowers.add(this.#follow);
    }
  }

  /** Lets commits pass while `wait` does; throws what their reader has thrown. */
  async followCommits(wait: () => Promise<void>): Promise<void> {
    this.#isWaiting = true;
    try {
      await wait();
    } finally {
      this.#isWaiting = false;
    }
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
  }

  [Symbol.dispose](): void {
    this.#environment.commitFollowers.delete(this.#follow);
  }

  #passOn({ afterRevision, revision, events }: Commit): void {
    const { onCommitted, isWanted, stop } = this.#options;
    if (!this.#isWaiting || this.#failure !== undefined || afterRevision !== this.revision || stop.aborted) {
      return;
    }
    const wanted = (event: KeyChange): boolean => isWanted(event.key);
    try {
      onCommitted?.({ events: events.every(wanted) ? events : events.filter(wanted), revision });
      this.revision = revision;
    } catch (error) {
      // A fault of the reader is no fault of the writers. The watch wakes, since it is behind now, and ends with it.
      this.#failure = { error };
    }
  }
}
