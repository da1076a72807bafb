import type { LineOutput } from "@gatehouse/component-base/files";
import { unlessAborted } from "@gatehouse/component-base/time";

/** The output of lines: a file. */
export interface LineTarget extends LineOutput {
  close(): Promise<void>;
}

/**
 * Appends lines to something slow, in order: those that come while a write is under way go out together in the next one.
 * So a busy server makes few writes, and nobody waits for more than two.
 */
export class GroupWriter {
  readonly #target: LineTarget;
  readonly #giveUp: AbortSignal;
  #waiting: string[] = [];
  #waitingDone: ((error: unknown) => void)[] = [];
  #isWriting = false;
  #idle: Promise<void> = Promise.resolve();

  /** Prepares a writer to `target`. Lines not yet written are no longer waited for once `giveUp` aborts. */
  constructor(target: LineTarget, giveUp: AbortSignal) {
    this.#target = target;
    this.#giveUp = giveUp;
  }

  /** Resolves when the lines, each with its line end, have been written. Rejects when they have not. */
  append(lines: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(lines);
      this.#waitingDone.push((error) => (error === undefined ? resolve() : reject(error)));
      if (!this.#isWriting) {
        this.#isWriting = true;
        // What else this turn of the event loop brings goes along.
        this.#idle = new Promise((done) => setImmediate(() => void this.#writeAll().then(done)));
      }
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      const done = this.#waitingDone;
      this.#waiting = [];
      this.#waitingDone = [];
      let failure: unknown;
      try {
        await unlessAborted(this.#target.write(Buffer.from(lines.join(""))), this.#giveUp);
      } catch (error) {
        failure = error ?? new Error("writing failed");
      }
      for (const settle of done) {
        settle(failure);
      }
    }
    this.#isWriting = false;
  }

  /** Writes what waits, and closes. */
  async close(): Promise<void> {
    await this.#idle;
    await this.#target.close();
  }
}
