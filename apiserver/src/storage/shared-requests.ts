/**
 * Shares one request among the callers that ask while none has been sent: each caller's answer was asked for after it
 * called. At most one request is under way; those who call meanwhile share the next.
 */
export class SharedRequests<T> {
  readonly #send: () => Promise<T>;
  #running: Promise<unknown> | undefined;
  #next: Promise<T> | undefined;

  constructor(send: () => Promise<T>) {
    this.#send = send;
  }

  /** Returns the answer to a request that is sent after this call. */
  ask(): Promise<T> {
    this.#next ??= this.#sendNext(this.#running);
    return this.#next;
  }

  async #sendNext(running: Promise<unknown> | undefined): Promise<T> {
    await running; // also lets the callers of this turn share, when nothing runs
    const request = this.#send();
    this.#next = undefined;
    this.#running = request.catch(() => {});
    try {
      return await request;
    } finally {
      if (this.#next === undefined) {
        this.#running = undefined;
      }
    }
  }
}
