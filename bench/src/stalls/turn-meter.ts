// Loaded into the server under measurement before its own code (`--import`): how much processor time its main thread took
// at a stretch, which other work on the machine changes little. The URL of this module tells the file, in `?file=`.
import { openSync, readSync, renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const intervalMs = 1;
const nanosecondsPerMs = 1e6;

const file = new URL(import.meta.url).searchParams.get("file");
if (isMainThread && file !== null) {
  meter(file);
}

/**
 * Measures turns of the event loop. Each SIGUSR2 writes the longest one since the last to the file, in milliseconds.
 */
function meter(target: string): void {
  const processorMs = mainThreadMs();
  let longest = 0;
  let last = processorMs();
  const look = (): void => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
    setTimeout(look, intervalMs).unref();
  };
  look();
  process.on("SIGUSR2", () => {
    writeFileSync(`${target}.new`, String(longest));
    renameSync(`${target}.new`, target);
    longest = 0;
    last = processorMs();
  });
}

/** Linux tells the time of each thread; elsewhere it is that of the clock. */
function mainThreadMs(): () => number {
  try {
    const descriptor = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
    const buffer = Buffer.alloc(64);
    return () => {
      const length = readSync(descriptor, buffer, 0, buffer.length, 0);
      return Number.parseInt(buffer.toString("latin1", 0, length), 10) / nanosecondsPerMs;
    };
  } catch {
    return () => performance.now();
  }
}
