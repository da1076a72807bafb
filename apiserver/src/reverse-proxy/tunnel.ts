import type { Duplex } from "node:stream";

/** Limits of a tunnel. */
export interface TunnelOptions {
  /**
   * Time in milliseconds for which one direction may be silent once the other has ended. 60,000 by default: a peer that has
   * gone away altogether looks like one that has only ended its own direction.
   */
  readonly halfOpenIdleMs?: number;
}

/**
 * Copies bytes between two connections in both directions, each at the pace of its reader, until both directions have
 * ended. The end of one direction is passed on while the other goes on. A connection that fails destroys both. Resolves when
 * both are closed.
 */
export async function tunnel(a: Duplex, b: Duplex, { halfOpenIdleMs = 60_000 }: TunnelOptions = {}): Promise<void> {
  const closed = Promise.all([whenClosed(a), whenClosed(b)]);
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.on("error", () => destroy(a, b));
    from.once("close", () => {
      if (from.readableEnded) {
        // What it has sent may still be on its way to the other.
        endAndDestroy(to);
      } else {
        to.destroy();
      }
    });
    from.once("end", () => destroyWhenSilent(to, from, halfOpenIdleMs));
    from.pipe(to);
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
