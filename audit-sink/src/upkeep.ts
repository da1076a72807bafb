import type { SinkLog } from "./sink-log.js";

/** Tasks of the upkeep and their interval. */
export interface UpkeepOptions {
  /** One after the other, each of them even if those before it fail. */
  readonly tasks: readonly (() => Promise<void>)[];
  readonly sinkLog: SinkLog;
  /** Milliseconds between the end of one round and the begin of the next. Default 2 seconds. */
  readonly intervalMs?: number;
}

const defaultIntervalMs = 2000;

/** Does its tasks now and then, one round at a time, and once more at the end. What fails is logged and done again. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#round;
    await this.#work();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#work().then(() => {
        if (!this.#isStopped) {
          this.#schedule();
        }
      });
    }, this.#options.intervalMs ?? defaultIntervalMs);
    this.#timer.unref();
  }

  async #work(): Promise<void> {
    const { tasks, sinkLog } = this.#options;
    for (const task of tasks) {
      await task().catch((error: Error) => sinkLog.upkeepFailed(error));
    }
  }
}
