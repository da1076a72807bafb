/** The wait after the first failure, and the longest, in milliseconds. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Returns the wait in milliseconds after a number of earlier failures: exponential, with up to half of it random. */
export function backoffMs(failures: number, limits: BackoffLimits, random: () => number): number {
  const full = Math.min(limits.maxMs, limits.firstMs * 2 ** Math.min(failures, 30));
  return full * (0.5 + random() / 2);
}
