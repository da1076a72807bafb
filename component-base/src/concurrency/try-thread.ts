import { Worker } from "node:worker_threads";

/**
 * Runs a script (CommonJS, as text) in a thread of its own, which keeps no process alive. Returns undefined where no thread can be
 * had: memory or the number of threads may be limited. What goes wrong in it goes unnoticed, so it must be for work that can be left out.
 */
export function tryThread(script: string): Worker | undefined {
  try {
    const thread = new Worker(script, { eval: true, env: {}, execArgv: [] });
    thread.on("error", () => undefined);
    thread.unref();
    return thread;
  } catch {
    return undefined;
  }
}
