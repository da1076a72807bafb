import type { Duplex } from "node:stream";
import { Throttle } from "./throttle.js";

/** Limits of a tunnel. */
export interface TunnelOptions {
  /**
   * Time in milliseconds for which one direction may be silent once the other has ended. 60,000 by default: a peer that has
   * gone away altogether looks like one that has only ended its own direction.
   */
  readonly halfOpenIdleMs?: number;
  /** The mean rate in each direction; unlimited by default. */
  readonly maxBytesPerSecond?: number;
}

/**
 * Copies bytes between two connections in both directions, each at the pace of its reader, until both directions have
 * ended. The end of one direction is passed on while the other goes on. A connection that fails destroys both. Resolves when
 * both are closed.
 */
export async function tunnel(
  a: Duplex,
  b: Duplex,
  { halfOpenIdleMs = 60_000, maxBytesPerSecond }: TunnelOptions = {},
): Promise<void> {
  // A server and both directions listen to each connection, more than Node takes for no leak.
  a.setMaxListeners(0);
  b.setMaxListeners(0);
  const closed = Promise.all([whenClosed(a), whenClosed(b)]);
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    const throttle = maxBytesPerSecond === undefined ? undefined : new Throttle(maxBytesPerSecond);
    const source = throttle ?? from;
    from.on("error", () => destroy(a, b));
    from.once("close", () => {
      if (!from.readableEnded) {
        to.destroy();
      } else if (source.readableEnded) {
        // What it has sent may still be on its way to the other.
        endAndDestroy(to);
      } else {
        source.once("end", () => endAndDestroy(to));
      }
    });
    to.once("close", () => throttle?.destroy());
    source.once("end", () => destroyWhenSilent(to, from, halfOpenIdleMs));
    if (throttle !== undefined) {
      from.pipe(throttle);
    }
    source.pipe(to);
  }
  if (a.destroyed || b.destroyed) {
    destroy(a, b);
  }
  await closed;
}

function whenClosed(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) {
      resolve();
    } else {
      stream.once("close", resolve);
    }
  });
}

function destroy(a: Duplex, b: Duplex): void {
  a.destroy();
  b.destroy();
}

/** Destroys a connection when it has taken everything that was written to it, or takes nothing any more. */
function endAndDestroy(stream: Duplex): void {
  if (stream.writableFinished) {
    stream.destroy();
    return;
  }
  const timer = setTimeout(() => stream.destroy(), lastBytesMs);
  stream.once("close", () => clearTimeout(timer));
  stream.end(() => stream.destroy());
}

/** Time in milliseconds for a client to take the last bytes of a peer that has gone away. */
const lastBytesMs = 60_000;

/** Ends a tunnel of which one direction has ended when nothing comes in the other for a time. */
function destroyWhenSilent(speaker: Duplex, listener: Duplex, idleMs: number): void {
  const timer = setTimeout(() => destroy(speaker, listener), idleMs);
  speaker.on("data", () => timer.refresh());
  speaker.once("close", () => clearTimeout(timer));
  listener.once("close", () => clearTimeout(timer));
}
