import { setTimeout as sleep } from "node:timers/promises";
import { pause } from "@gatehouse/component-base/time";
import { RequestsUnderWay } from "../filters/refuse-when-stopping.js";
import { WatchEnds } from "../verbs/reading/watch-ends.js";

/** The steps of the end of a server. Times are in milliseconds. */
export interface ShutdownOptions {
  /** The time for which requests are served as before, while `/readyz` fails. */
  readonly delayMs: number;
  /** True if the port stays open until requests under way have ended, and new ones are answered with 429. */
  readonly sendRetryAfter: boolean;
  /** The time over which watches end; 0: at once. */
  readonly watchGraceMs: number;
  /** The time that requests under way may take. */
  readonly graceMs: number;
}

/** Time in milliseconds for connections to close when no request is under way any more, as in v1.29. */
const idleConnectionsMs = 2000;

/** The end of a server, step by step. */
export class Shutdown {
  readonly #options: ShutdownOptions;
  readonly #begun = new AbortController();
  readonly #stopping = new AbortController();
  /** The watches under way. */
  readonly watchEnds = new WatchEnds();
  /** The requests under way; undefined where the port closes before they have ended. */
  readonly requests: RequestsUnderWay | undefined;
  /** Closes the port, and connections after so many milliseconds; set when it is open. */
  closePort: ((graceMs: number) => Promise<void>) | undefined;

  constructor(options: ShutdownOptions) {
    this.#options = options;
    this.requests = options.sendRetryAfter ? new RequestsUnderWay() : undefined;
  }

  /** The signal that aborts when the server is asked to stop: others must not rely on it any more. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** The signal that aborts when requests are not served any longer. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Ends requests in their order. Resolves when the port is closed; the parts behind it can be closed then. */
  async run(): Promise<void> {
    const { delayMs, graceMs, watchGraceMs } = this.#options;
    this.#begun.abort();
    const { closePort } = this;
    if (closePort === undefined) {
      this.#stopping.abort();
      return;
    }
    if (delayMs > 0) {
      await sleep(delayMs);
    }
    if (this.requests === undefined) {
      const closed = closePort(graceMs + watchGraceMs);
      await this.watchEnds.endAll(watchGraceMs);
      this.#stopping.abort();
      return closed;
    }
    const tooLate = new AbortController();
    const drained = this.requests.refuseMore();
    await Promise.all([
      Promise.race([drained, pause(graceMs, tooLate.signal)]),
      watchGraceMs > 0 ? this.watchEnds.endAll(watchGraceMs) : undefined,
    ]);
    tooLate.abort();
    const closed = closePort(Math.min(graceMs, idleConnectionsMs));
    await this.watchEnds.endAll(0);
    this.#stopping.abort();
    return closed;
  }
}
