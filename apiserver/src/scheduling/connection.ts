/** Answers of one connection that may wait in memory for the client to take them, in bytes: a few large lists. */
const maxUnsentBytes = 64 * 1024 * 1024;

/** What the requests of one connection share. To those who divide work and memory fairly, it is the client. */
export class Connection {
  #unsentBytes = 0;
  #roomListeners: (() => void)[] = [];

  /** So much waits for the client that nothing more is made for it. */
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
