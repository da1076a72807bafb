import { Transform, type TransformCallback } from "node:stream";

/** Lets bytes pass at a limited mean rate: after each piece it takes no other until the time for its bytes is over. */
export class Throttle extends Transform {
  readonly #bytesPerSecond: number;
  /** The time, on a monotonic clock in milliseconds, at which everything that has passed is paid for. */
  #paidAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(bytesPerSecond: number) {
    super();
    this.#bytesPerSecond = bytesPerSecond;
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    const now = performance.now();
    this.#paidAtMs = Math.max(this.#paidAtMs, now) + (piece.length / this.#bytesPerSecond) * 1000;
    this.push(piece);
    this.#timer = setTimeout(done, Math.min(this.#paidAtMs - now, maxTimerMs));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    done(error);
  }
}

/** The longest time that a timer of Node waits. */
const maxTimerMs = 2 ** 31 - 1;
