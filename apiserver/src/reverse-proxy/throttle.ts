import { Transform } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** The part of a second of which the bytes are passed on at once. */
const piecesPerSecond = 10;

/**
 * Returns a stream that passes on so many bytes per second at most, in pieces of a tenth of that. `pause` waits for a time in
 * milliseconds.
 */
export function throttle(bytesPerSecond: number, pause: (ms: number) => Promise<unknown> = sleep): Transform {
  const pieceBytes = Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond));
  return new Transform({
    // What waits here is no more than what may be passed on next.
    readableHighWaterMark: pieceBytes,
    writableHighWaterMark: pieceBytes,
    transform(chunk: Buffer, _encoding, done) {
      const passOn = async (): Promise<void> => {
        for (let at = 0; at < chunk.length && !this.destroyed; at += pieceBytes) {
          const piece = chunk.subarray(at, at + pieceBytes);
          this.push(piece);
          await pause((1000 * piece.length) / bytesPerSecond);
        }
      };
      passOn().then(() => done(), done);
    },
  });
}
