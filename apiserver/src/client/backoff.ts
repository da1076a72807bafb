/** The wait after the first failure, and the longest. Milliseconds. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Exponential backoff: the wait after so many failures before this one, of which up to a half is left to chance. */
export function backoffMs(failures: number, limits: BackoffLimits, random: () => number): number {
  const full = Math.min(limits.maxMs, limits.firstMs * 2 ** Math.min(failures, 30));
  return full * (0.5 + random() / 2);
}
