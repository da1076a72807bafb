const factor = 1.5;
const jitter = 0.2;
/** The limit of a delay in milliseconds, before jitter is added. */
const maxDelayMs = 60_000;

/** The number of tries of a webhook call, as in v1.29. */
export const webhookTries = 5;

/** Returns the delay in milliseconds before try number `retry` (from 1): growing, with jitter. */
export function retryDelayMs(initialMs: number, retry: number, random: () => number = Math.random): number {
  const delay = Math.min(initialMs * factor ** (retry - 1), Math.max(maxDelayMs, initialMs));
  return delay * (1 + jitter * random());
}
