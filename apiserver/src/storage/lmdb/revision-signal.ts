import { currentRound } from "@gatehouse/component-base/time";
import type { Environment } from "./environment.js";
import { Reader } from "./reader.js";

/**
 * Notifies waiting watches that the revision has grown: at once for commits of this process, by polling for those of
 * others. It polls only while there are waiting watches.
 */
export class RevisionSignal implements Disposable {
  readonly #environment: Environment;
  readonly #reader: Reader;
  readonly #pollIntervalMs: number;
  /** Functions that wake the waiting readers, each with one that returns the revision it has come to. */
  readonly #waiting = new Map<() => void, () => number>();
  readonly #check = (): void => {
    try {
      this.#round = undefined; // a commit is news, whatever has been read before
      this.check();
    } catch {
      this.#wake(Number.POSITIVE_INFINITY); // those who wait read again, and meet the error themselves
    }
  };
  #timer: NodeJS.Timeout | undefined;
  #seen = 0;
  /** The round in which the revision was read last; undefined if it was read outside of one. */
  #round: number | undefined;

  constructor(environment: Environment, pollIntervalMs: number) {
    this.#environment = environment;
    this.#reader = new Reader(environment);
    this.#pollIntervalMs = pollIntervalMs;
    environment.commitListeners.add(this.#check);
  }

  /** Returns the newest revision committed by any process. Throws StoreUnavailableError and StoreDamagedError. */
  async current(): Promise<number> {
    while (!this.#environment.isAvailable) {
      await this.#environment.available();
    }
    return this.#read();
  }

  /**
   * Checks the revision at once, if that is possible, and wakes the waiting readers when it has grown. It is read once in
   * a round: all requests of a round had come before.
   */
  check(): number | undefined {
    if (!this.#environment.isAvailable) {
      return undefined; // the next poll will see it
    }
    const round = currentRound();
    if (round !== undefined && round === this.#round) {
      return this.#seen;
    }
    const revision = this.#read();
    this.#round = round;
    if (revision !== this.#seen) {
      this.#seen = revision;
      this.#wake(revision);
    }
    return revision;
  }

  /** Resolves when there may be a revision after `position`, which may grow meanwhile, or when the signal aborts. */
  async changed(position: () => number, signal: AbortSignal): Promise<void> {
    if ((await this.current()) > position() || signal.aborted) {
      return;
    }
    let wake: () => void = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.set(wake, position);
    signal.addEventListener("abort", wake, { once: true });
    this.#timer ??= setInterval(this.#check, this.#pollIntervalMs);
    try {
      await woken;
    } finally {
      signal.removeEventListener("abort", wake);
      this.#waiting.delete(wake);
      if (this.#waiting.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  /** Wakes all waiting watches a last time. */
  [Symbol.dispose](): void {
    this.#environment.commitListeners.delete(this.#check);
    this.#wake(Number.POSITIVE_INFINITY);
  }

  #read(): number {
    this.#environment.tables.root.resetReadTxn();
    return this.#reader.state().revision;
  }

  #wake(revision: number): void {
    for (const [wake, position] of this.#waiting) {
      if (position() < revision) {
        this.#waiting.delete(wake);
        wake();
      }
    }
  }
}
