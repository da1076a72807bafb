import type { Socket } from "node:net";
import { inNextRound } from "../time/index.js";
import { type FrameHead, frameHeadBytes, writeFrameHead } from "./frames.js";
import { releaseMemory, takeMemory } from "./write-memory.js";

/** Bytes of small frames that are put together into one write. */
const mergedBytes = 64 * 1024;
/** Bytes of the memory that each output keeps: those of most rounds. */
const ownBytes = 4096;

/**
 * The frames that a connection sends. Those of one round of the event loop are handed to the socket together: a write to
 * the kernel, or a record of TLS, costs more than most frames.
 */
export class FrameOutput {
  readonly #socket: Socket;
  readonly #onDrain: () => void;
  /** The memory that frames are put together in, and its bytes that are taken. */
  #memory: Buffer = noMemory;
  #bytes = 0;
  /** The memory of this output's own, unless it is in use or the socket has not written it yet. */
  #own: Buffer | undefined;
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

  /** Sends bytes with the others of this round: whole frames, or the beginning of a client. They are copied. */
  pushBytes(bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#memory.set(bytes, this.#bytes);
    this.#bytes += bytes.length;
  }

  /** Sends a frame with the others of this round. Its payload is copied. */
  pushFrame(head: FrameHead, payload: Buffer): void {
    this.#reserve(frameHeadBytes + payload.length);
    writeFrameHead(this.#memory, this.#bytes, head, payload.length);
    this.#memory.set(payload, this.#bytes + frameHeadBytes);
    this.#bytes += frameHeadBytes + payload.length;
  }

  /** Hands what has been pushed to the socket at once. */
  flush(): void {
    const bytes = this.#bytes;
    if (bytes === 0 || this.#socket.destroyed || this.#socket.writableEnded) {
      return;
    }
    const memory = this.#memory;
    this.#memory = noMemory;
    this.#bytes = 0;
    const mayGoOn = this.#socket.write(memory.subarray(0, bytes), () => this.#release(memory));
    this.#isBlocked = !mayGoOn;
    if (bytes >= mergedBytes && mayGoOn) {
      this.#onDrain();
    }
  }

  /** Makes room for bytes, and schedules their way to the socket. */
  #reserve(bytes: number): void {
    const needed = this.#bytes + bytes;
    if (needed > this.#memory.length) {
      const smaller = this.#memory;
      this.#memory = needed <= ownBytes ? this.#takeOwn() : (takeMemory(needed) ?? Buffer.allocUnsafe(2 * needed));
      smaller.copy(this.#memory, 0, 0, this.#bytes);
      this.#release(smaller);
    }
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      inNextRound(this.#flushScheduled);
    }
  }

  #takeOwn(): Buffer {
    const own = this.#own ?? Buffer.allocUnsafeSlow(ownBytes);
    this.#own = undefined;
    return own;
  }

  #release(memory: Buffer): void {
    if (memory.length === ownBytes) {
      this.#own = memory;
    } else {
      releaseMemory(memory);
    }
  }

  readonly #flushScheduled = (): void => {
    this.#isScheduled = false;
    this.flush();
  };
}

const noMemory = Buffer.alloc(0);
