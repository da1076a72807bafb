import { tryThread } from "../concurrency/index.js";
import type { ProcessLike } from "./process-like.js";

/** The process that this code runs in. */
export const thisProcess: ProcessLike = {
  on: (signal, listener) => process.on(signal, listener),
  off: (signal, listener) => process.off(signal, listener),
  exit: (code) => process.exit(code),
  endAtOnce,
  endAfter,
};

function endAtOnce(): void {
  process.kill(process.pid, "SIGKILL");
  // The first process of a container cannot be ended by a signal from inside it.
  process.abort();
}

/**
 * Leaves the waiting to a thread: timers of this one do not fire while it is busy. The thread costs about 8 MB, so it
 * should be started only when the process is about to end.
 */
function endAfter(ms: number): Disposable {
  // Without a thread the process ends without a watchdog, as it does as a rule.
  const thread = tryThread(`setTimeout(() => process.kill(process.pid, "SIGKILL"), ${Number(ms)});`);
  return { [Symbol.dispose]: () => void thread?.terminate() };
}
