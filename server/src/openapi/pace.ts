/** Milliseconds of work after which other work gets its turn. */
const sliceMs = 8;

/** Called between small pieces of work; what it returns is to be awaited before the next one. */
export type Pace = () => Promise<void> | undefined;

/**
 * Breaks long work into slices, so that requests are answered in between. Everybody who shares a pace shares its slices:
 * however many wait, one of them goes on in each turn of the event loop. `now` is a monotonic clock in milliseconds.
 */
export function createPace(now: () => number = () => performance.now()): Pace {
  const waiting: (() => void)[] = [];
  let sliceStart = now();
  const nextTurn = (): void => {
    sliceStart = now();
    waiting.shift()?.();
    if (waiting.length > 0) {
      setImmediate(nextTurn);
    }
  };
  return () => {
    if (waiting.length === 0 && now() - sliceStart < sliceMs) {
      return undefined;
    }
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) {
        setImmediate(nextTurn);
      }
    });
  };
}
