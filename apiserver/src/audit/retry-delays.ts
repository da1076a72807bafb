const factor = 1.5;
const jitter = 0.2;
/** What a delay never exceeds, with jitter. */
const maxDelayMs = 60_000;

/** v1.29 calls a webhook so often at most. */
export const webhookTries = 5;

/** How long to wait before try number `retry` (from 1), in milliseconds: longer each time, and never quite the same. */
export function retryDelayMs(initialMs: number, retry: number, random: () => number = Math.random): number {
  const delay = Math.min(initialMs * factor ** (retry - 1), Math.max(maxDelayMs, initialMs));
  return delay * (1 + jitter * random());
}
