/** Closes one thing that has been opened. */
export type Closer = () => PromiseLike<void> | void;

/**
 * The opened parts that must be closed again, in reverse order. One that throws does not keep the others open. (The
 * AsyncDisposableStack of ECMAScript, which Node 20 does not have.)
 */
export class Closers implements AsyncDisposable {
  readonly #closers: Closer[] = [];

  add(closer: Closer): void {
    this.#closers.push(closer);
  }

  /** Adds a disposable and returns it. */
  use<T extends Disposable | AsyncDisposable>(opened: T): T {
    this.add(() => (Symbol.asyncDispose in opened ? opened[Symbol.asyncDispose]() : opened[Symbol.dispose]()));
    return opened;
  }

  /** Closes everything once. Throws the error of a closer, or an AggregateError for more than one. */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (let closer = this.#closers.pop(); closer !== undefined; closer = this.#closers.pop()) {
      try {
        await closer();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw errors.length === 1 ? errors[0] : new AggregateError(errors, "several parts could not be closed");
    }
  }
}
