import type { ServerRun } from "./server-run.js";

/** Runs a server in this process. The server is loaded with the first call. */
export async function runInProcess(flags: readonly string[], writeLog: (text: string) => void): Promise<ServerRun> {
  const { startInProcess } = await import("@gatehouse/server/in-process");
  const server = startInProcess(flags, { writeLog });
  // Whoever waits for it is told; until then it is no unhandled rejection.
  server.serving.catch(() => {});
  let stopped: Promise<void> | undefined;
  return {
    pid: process.pid,
    serving: server.serving,
    hasEnded: () => stopped !== undefined,
    async kill(signal) {
      if (signal !== "SIGTERM") {
        throw new TypeError(`${signal} would end the tests, too: the control plane runs in their process`);
      }
      stopped ??= server.serving.then(
        () => server.stop(),
        () => server.stop(),
      );
      await stopped;
      return 0;
    },
  };
}
