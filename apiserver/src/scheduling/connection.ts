/** Answers of one connection that may wait in memory for the client to take them, in bytes: a few large lists. */
const maxUnsentBytes = 64 * 1024 * 1024;

/**
 * State that the requests of one connection share. For the fair division of work and memory, a connection is a client.
 */
export class Connection {
  #unsentBytes = 0;
  #roomListeners: (() => void)[] = [];

  /** True if so many bytes wait for the client that nothing more is made for it. */
  get isFull(): boolean {
    return this.#unsentBytes >= maxUnsentBytes;
  }

  /** Counts bytes that wait for the client, until the function returned is called. */
  hold(bytes: number): () => void {
    this.#unsentBytes += bytes;
    return () => {
      this.#unsentBytes -= bytes;
      if (!this.isFull && this.#roomListeners.length > 0) {
        const listeners = this.#roomListeners;
        this.#roomListeners = [];
        for (const listener of listeners) {
          listener();
        }
      }
    };
  }

  /** Calls `listener` once, when the connection is no longer full. */
  whenRoom(listener: () => void): void {
    this.#roomListeners.push(listener);
  }
}
