import type { Socket } from "node:net";

/** Bytes of small frames that are put together into one write. */
const mergedBytes = 64 * 1024;

/**
 * The frames that a connection sends. Those of one round of the event loop are handed to the socket together: a write to
 * the kernel, or a record of TLS, costs more than most frames.
 */
export class FrameOutput {
  readonly #socket: Socket;
  readonly #onDrain: () => void;
  #frames: Buffer[] = [];
  #bytes = 0;
  #isScheduled = false;
  #isBlocked = false;

  /** `onDrain` is called when the socket takes more after it has been blocked. */
  constructor(socket: Socket, onDrain: () => void) {
    this.#socket = socket;
    this.#onDrain = onDrain;
    socket.on("drain", () => {
      this.#isBlocked = false;
      onDrain();
    });
  }

  /** True while the socket has as much as it takes: data should wait. */
  get isBlocked(): boolean {
    return this.#isBlocked || this.#bytes >= mergedBytes;
  }

  /** Bytes that neither the kernel nor TLS has taken. */
  get pendingBytes(): number {
    return this.#bytes + this.#socket.writableLength;
  }

  /** Sends bytes with the others of this round. */
  push(bytes: Buffer): void {
    this.#frames.push(bytes);
    this.#bytes += bytes.length;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(this.#flushScheduled);
    }
  }

  /** Hands what has been pushed to the socket at once. */
  flush(): void {
    const frames = this.#frames;
    if (frames.length === 0 || this.#socket.destroyed || this.#socket.writableEnded) {
      return;
    }
    this.#frames = [];
    const wasFull = this.#bytes >= mergedBytes;
    const bytes = this.#bytes;
    this.#bytes = 0;
    const mayGoOn = this.#socket.write(frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames, bytes));
    this.#isBlocked = !mayGoOn;
    if (wasFull && mayGoOn) {
      this.#onDrain();
    }
  }

  readonly #flushScheduled = (): void => {
    this.#isScheduled = false;
    this.flush();
  };
}
