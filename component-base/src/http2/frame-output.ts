import type { Socket } from "node:net";
import { inNextRound } from "../time/index.js";
import { releaseMemory, takeMemory } from "./write-memory.js";

/** Bytes of small frames that are put together into one write. */
const mergedBytes = 64 * 1024;
/** Bytes of a write from which it is put together in shared memory. Node has a pool for smaller ones. */
const largeBytes = 4096;

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
      inNextRound(this.#flushScheduled);
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
    const mayGoOn = this.#write(frames, bytes);
    this.#isBlocked = !mayGoOn;
    if (wasFull && mayGoOn) {
      this.#onDrain();
    }
  }

  #write(frames: readonly Buffer[], bytes: number): boolean {
    if (frames.length === 1) {
      return this.#socket.write(frames[0] as Buffer);
    }
    const memory = bytes < largeBytes ? undefined : takeMemory(bytes);
    if (memory === undefined) {
      return this.#socket.write(Buffer.concat(frames, bytes));
    }
    let at = 0;
    for (const frame of frames) {
      memory.set(frame, at);
      at += frame.length;
    }
    return this.#socket.write(memory.subarray(0, at), () => releaseMemory(memory));
  }

  readonly #flushScheduled = (): void => {
    this.#isScheduled = false;
    this.flush();
  };
}
