/** Milliseconds of work after which other work gets its turn. */
const sliceMs = 8;

/** Called between small pieces of work; what it returns is to be awaited when it is not undefined. */
export type Pace = () => Promise<void> | undefined;

/** Breaks long work into slices, so that requests are answered in between. `now` is a monotonic clock in milliseconds. */
export function createPace(now: () => number = () => performance.now()): Pace {
  let sliceStart = now();
  return () => {
    if (now() - sliceStart < sliceMs) {
      return undefined;
    }
    return new Promise((resolve) => {
      setImmediate(() => {
        sliceStart = now();
        resolve();
      });
    });
  };
}
