import type { RunParts, ServerImage, ServerRun } from "./server-run.js";

/** Data that a server in this process begins with, and keeps over its restarts. */
export type ServerData = NonNullable<
  Parameters<typeof import("@gatehouse/server/in-process").startInProcess>[1]["data"]
>;

/** Runs a server in this process, with parts of the kit. The server is loaded with the first call. */
export async function runInProcess(
  flags: readonly string[],
  writeLog: (text: string) => void,
  parts: RunParts = {},
): Promise<ServerRun> {
  const { startInProcess } = await import("@gatehouse/server/in-process");
  const server = startInProcess(flags, { ...parts, writeLog });
  // Whoever waits for it is told; until then it is no unhandled rejection.
  server.serving.catch(() => {});
  let stopped: Promise<void> | undefined;
  return {
    pid: process.pid,
    serving: server.serving,
    hasEnded: () => stopped !== undefined,
    data: server,
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

/** Makes data in memory that begins as an image, with which it shares all that does not change. */
export async function dataOf(image: ServerImage): Promise<ServerData> {
  const server = await import("@gatehouse/server/in-process");
  return server.dataOf(image);
}
