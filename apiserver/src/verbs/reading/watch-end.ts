import type { RequestContext } from "../../request/request-context.js";

/** The longest delay of a timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** Longest time in milliseconds that a client may take for the rest of its watch after the end. */
const lingerMs = 30_000;

/**
 * Returns the time in milliseconds after which a watch ends: the client's own, or a random one above the configured
 * minimum so that watches do not all end at once.
 */
export function watchTimeoutMs(askedSeconds: number | undefined, minMs: number): number {
  const ms = askedSeconds !== undefined && askedSeconds > 0 ? askedSeconds * 1000 : minMs * (1 + Math.random());
  return Math.min(ms, maxTimerMs);
}

/** Ends a stream of events. The connection is broken off when the client does not take the rest in time. */
export function endStream(
  context: Pick<RequestContext, "exchange" | "breakOff">,
  output: { end(): void } = context.exchange,
): void {
  output.end();
  const timer = setTimeout(() => context.breakOff(), lingerMs);
  context.exchange.whenClosed(() => clearTimeout(timer));
}
