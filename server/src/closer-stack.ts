/** Closes one thing that a process consists of. */
export type Closer = () => PromiseLike<void> | void;

/**
 * What has been opened, and how to close it: AsyncDisposableStack for those who run Node 20. Everything is closed once, the
 * last first, one after the other, whatever fails on the way.
 */
export class CloserStack implements AsyncDisposable {
  readonly #closers: Closer[] = [];
  #closing: Promise<void> | undefined;

  /** Notes how to close what has just been opened. Throws after the stack has been closed: nobody would call it. */
  defer(closer: Closer): void {
    if (this.#closing !== undefined) {
      throw new Error("the stack is closed");
    }
    this.#closers.push(closer);
  }

  /**
   * Closes everything. Rejects at the end with what failed: the error itself, or an AggregateError in the order in which
   * they came when there are several. Calls after the first wait for the same end.
   */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) {
      throw new AggregateError(errors, `${errors.length} things could not be closed`);
    }
    if (errors.length === 1) {
      throw errors[0];
    }
  }
}
