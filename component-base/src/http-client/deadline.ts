import { setMaxListeners } from "node:events";

/** The end of a call: the caller's signal or a time limit, whichever comes first. Disposed of when the call is over. */
export interface Deadline extends Disposable {
  /** Made when it is first asked for: most calls wait for nothing that needs one, and it costs more than a timer. */
  readonly signal: AbortSignal;
  readonly ended: boolean;
  /** True once the time limit has passed. */
  readonly passed: boolean;
  /** Calls back at the end, unless `undefined` has taken the place of the callback until then. */
  onEnd(callback: (() => void) | undefined): void;
}

/** Joins the caller's signal and a time limit. Not `AbortSignal.any` and `.timeout`: those hold on to their timer. */
export function startDeadline(callerSignal: AbortSignal, timeoutMs: number): Deadline {
  return new CallDeadline(callerSignal, timeoutMs);
}

class CallDeadline implements Deadline {
  readonly #callerSignal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = (): void => this.#end(false);
  #controller: AbortController | undefined;
  #callback: (() => void) | undefined;
  #ended = false;
  #passed = false;

  constructor(callerSignal: AbortSignal, timeoutMs: number) {
    this.#callerSignal = callerSignal;
    this.#timer = setTimeout(() => this.#end(true), timeoutMs);
    // One request of a client may lead to any number of calls, which is no leak to warn of.
    setMaxListeners(0, callerSignal);
    callerSignal.addEventListener("abort", this.#onAbort, { once: true });
    if (callerSignal.aborted) {
      this.#end(false);
    }
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended) {
        this.#controller.abort(this.#reason());
      }
    }
    return this.#controller.signal;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get passed(): boolean {
    return this.#passed;
  }

  onEnd(callback: (() => void) | undefined): void {
    this.#callback = callback;
    if (this.#ended) {
      callback?.();
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#callerSignal.removeEventListener("abort", this.#onAbort);
  }

  #end(passed: boolean): void {
    if (this.#ended) {
      return;
    }
    this.#ended = true;
    this.#passed = passed;
    this.#controller?.abort(this.#reason());
    this.#callback?.();
  }

  #reason(): unknown {
    return this.#passed ? undefined : this.#callerSignal.reason;
  }
}
