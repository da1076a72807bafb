/** Milliseconds in which a client may end its side of a stream that has been answered; twice as long at most. */
const patienceMs = 1000;
/** The number of such streams; further ones are reset at once. */
const maxStreams = 100;

/**
 * Streams of a server whose response is whole before the client has sent all. The client is told to stop by a reset without an
 * error (RFC 9113, section 8.1), but not at once: most end their side in the next moment, and some, such as curl, take a reset
 * before that for a failure. What they send meanwhile is dropped, and is never more than the window of the stream.
 */
export class AnsweredStreams {
  readonly #reset: (id: number) => void;
  #young = new Set<number>();
  #old = new Set<number>();
  #timer: NodeJS.Timeout | undefined;

  /** `reset` is called with the number of a stream that the client has not ended in time. */
  constructor(reset: (id: number) => void) {
    this.#reset = reset;
  }

  /** Adds a stream that the client still has to end. */
  add(id: number): void {
    if (this.#young.size + this.#old.size >= maxStreams) {
      this.#reset(id);
      return;
    }
    this.#young.add(id);
    this.#timer ??= setInterval(this.#age, patienceMs).unref();
  }

  /** Removes a stream that the client has ended. */
  delete(id: number): void {
    if (this.#timer !== undefined && (this.#young.delete(id) || this.#old.delete(id))) {
      this.#stopIfEmpty();
    }
  }

  /** Removes all streams: the connection is over. */
  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#stopIfEmpty();
  }

  readonly #age = (): void => {
    const late = this.#old;
    this.#old = this.#young;
    this.#young = new Set();
    for (const id of late) {
      this.#reset(id);
    }
    this.#stopIfEmpty();
  };

  #stopIfEmpty(): void {
    if (this.#young.size + this.#old.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}
