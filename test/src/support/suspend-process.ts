import { readdir, readFile } from "node:fs/promises";
import { until } from "./until.js";

/**
 * Sends a process SIGSTOP, and resolves when all its threads have stopped: the system stops them one after another after
 * the signal is sent, and until then they go on to answer. Linux only.
 */
export async function suspendProcess(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await until(`process ${pid} has stopped`, async () => {
    const threads = await readdir(`/proc/${pid}/task`);
    const states = await Promise.all(threads.map((thread) => stateOf(`/proc/${pid}/task/${thread}/stat`)));
    return states.every((state) => state === "T" || state === undefined);
  });
}

/** Resolves to the letter of a thread's state (proc_pid_stat(5)), or to `undefined` when the thread has ended. */
async function stateOf(path: string): Promise<string | undefined> {
  const stat = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ESRCH") {
      return undefined;
    }
    throw error;
  });
  // The name of the program, in brackets, may hold brackets and spaces.
  return stat?.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
}
