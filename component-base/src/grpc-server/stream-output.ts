import type { ServerHttp2Stream } from "node:http2";

/**
 * The answers of a streaming call that the connection has not taken yet. The event `drain` of the stream would not tell:
 * it comes only after more than the buffer of the stream has waited.
 */
export class StreamOutput {
  readonly #stream: ServerHttp2Stream;
  readonly #onWritten = (): void => {
    this.#unwritten--;
    this.#wakeWhenDrained();
  };
  #unwritten = 0;
  #waiting: (() => void)[] = [];

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
    stream.once("close", () => {
      this.#unwritten = 0;
      this.#wakeWhenDrained();
    });
  }

  /** Writes a message with its prefix; nothing when the call is over. */
  write(framed: Buffer): void {
    if (!this.#stream.destroyed) {
      this.#unwritten++;
      this.#stream.write(framed, this.#onWritten);
    }
  }

  /**
   * Resolves when the connection has taken everything, or the call is over: then in a later round of the event loop, so
   * that a loop that has not heard of the end cannot keep it from being told.
   */
  drained(): Promise<void> {
    if (this.#stream.destroyed) {
      return new Promise((resolve) => setImmediate(resolve));
    }
    return this.#unwritten <= 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wakeWhenDrained(): void {
    if (this.#unwritten <= 0) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const resolve of waiting) {
        resolve();
      }
    }
  }
}
