import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { until } from "./until.js";

/**
 * The script of the API server, `gatehouse-apiserver`, found as another package would find it. `npm test` names the bundled one instead, which
 * starts in half the time; a single file run by hand should not need a bundle that is as new as what it tests.
 */
export const serverScript: string =
  process.env["GATEHOUSE_APISERVER"] ?? fileURLToPath(new URL("main.js", import.meta.resolve("@gatehouse/server")));

/** Loaded into the child: when the test process is gone, however it went, the server must not live on alone. */
const endWithParent = `data:text/javascript,${encodeURIComponent(
  'process.channel?.unref(); process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));',
)}`;

/** One run of a server, from start to end. */
export interface ServerProcess {
  readonly pid: number;
  /** The port that it says it serves on. Rejects with the log when the process ends before it serves. */
  serving(): Promise<number>;
  /** Sends the signal and resolves when the process has ended, with its exit code; `null` when the signal ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `gatehouse-apiserver` with these flags. What it writes goes to `onOutput`. */
export function spawnServer(flags: readonly string[], onOutput: (text: string) => void): ServerProcess {
  return spawnProgram(serverScript, flags, onOutput);
}

/** Starts a program of ours that serves, given by its script, with these flags. */
export function spawnProgram(
  script: string,
  flags: readonly string[],
  onOutput: (text: string) => void,
): ServerProcess {
  const child: ChildProcess = spawn(
    process.execPath,
    ["--enable-source-maps", "--import", endWithParent, script, ...flags],
    {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      onOutput(text);
    });
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    async serving() {
      return await until("the server says on which port it serves", () => {
        const [, port] = /\bserving\b.*\bport=(\d+)/.exec(output) ?? [];
        if (port === undefined && hasEnded()) {
          throw new Error(`the server ended with ${child.exitCode ?? child.signalCode} before it served:\n${output}`);
        }
        return port === undefined ? undefined : Number(port);
      });
    },
    async kill(signal) {
      if (!hasEnded()) {
        child.kill(signal);
      }
      return await ended;
    },
  };
}
