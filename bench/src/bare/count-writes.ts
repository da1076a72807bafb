/** Writes to a store with nothing around it. */
export interface BareWrites {
  readonly writers: number;
  readonly valueBytes: number;
  readonly warmupMs: number;
  readonly durationMs: number;
}

/** Calls `write` for some time with a value, each writer one after the other. Returns the writes per second. */
export async function countWrites(
  { writers, valueBytes, warmupMs, durationMs }: BareWrites,
  write: (value: Buffer) => Promise<unknown>,
): Promise<number> {
  const value = Buffer.alloc(valueBytes, "x");
  const measureFrom = performance.now() + warmupMs;
  const until = measureFrom + durationMs;
  let count = 0;
  const writer = async (): Promise<void> => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      await write(value);
      if (performance.now() >= measureFrom) {
        count++;
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return count / ((performance.now() - measureFrom) / 1000);
}
