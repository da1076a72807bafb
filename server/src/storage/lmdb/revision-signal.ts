import type { Environment } from "./environment.js";
import { Reader } from "./reader.js";

/**
 * Tells waiting watches that the revision has grown: at once for commits of this process, by polling for those of others.
 * It polls only while somebody waits.
 */
export class RevisionSignal implements Disposable {
  readonly #environment: Environment;
  readonly #reader: Reader;
  readonly #pollIntervalMs: number;
  readonly #waiting = new Set<() => void>();
  readonly #check = (): void => {
    try {
      this.check();
    } catch {
      this.#wake(); // those who wait read again, and meet the error themselves
    }
  };
  #timer: NodeJS.Timeout | undefined;
  #seen = 0;

  constructor(environment: Environment, pollIntervalMs: number) {
    this.#environment = environment;
    this.#reader = new Reader(environment);
    this.#pollIntervalMs = pollIntervalMs;
    environment.commitListeners.add(this.#check);
  }

  /** The newest revision committed by any process. Throws StoreUnavailableError and StoreDamagedError. */
  async current(): Promise<number> {
    while (!this.#environment.isAvailable) {
      await this.#environment.available();
    }
    return this.#read();
  }

  /** The same at once, if that is possible; wakes those who wait when the revision has grown. */
  check(): number | undefined {
    if (!this.#environment.isAvailable) {
      return undefined; // the next poll will see it
    }
    const revision = this.#read();
    if (revision !== this.#seen) {
      this.#seen = revision;
      this.#wake();
    }
    return revision;
  }

  /** Resolves when there may be a revision after `revision`, or when the signal aborts. */
  async changed(revision: number, signal: AbortSignal): Promise<void> {
    if ((await this.current()) > revision || signal.aborted) {
      return;
    }
    let wake: () => void = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.add(wake);
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

  /** Wakes everybody a last time. */
  [Symbol.dispose](): void {
    this.#environment.commitListeners.delete(this.#check);
    this.#wake();
  }

  #read(): number {
    this.#environment.tables.root.resetReadTxn();
    return this.#reader.state().revision;
  }

  #wake(): void {
    for (const wake of this.#waiting) {
      wake();
    }
    this.#waiting.clear();
  }
}
