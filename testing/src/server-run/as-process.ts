import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerRun } from "./server-run.js";

/** The program that serves, and how Node.js runs it. */
export interface ServerProgram {
  /** Path of a script that takes the flags of `gatehouse-apiserver`. */
  readonly script: string;
  /** Options of `node`, for instance `--enable-source-maps`. Default: none. */
  readonly nodeOptions?: readonly string[];
}

/** The command `gatehouse-apiserver` of the package `@gatehouse/server`. */
export function installedServer(): ServerProgram {
  return {
    script: fileURLToPath(new URL("../bundle/gatehouse-apiserver.js", import.meta.resolve("@gatehouse/server"))),
  };
}

/** Loaded into the child: when the test process is gone, however it went, the server must not live on alone. */
const endWithParent = `data:text/javascript,${encodeURIComponent(
  'process.channel?.unref(); process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));',
)}`;

/** Servers end within the grace period of their flags and 5 s; a program that does not hear the signal is killed. */
const forceAfterMs = 60_000;

/** Characters of output in which the port is looked for. */
const maxStartOutput = 1024 * 1024;

/** Runs a program as a process of its own, which ends with this one. It must say on which port it is serving. */
export function runProgram(
  { script, nodeOptions = [] }: ServerProgram,
  flags: readonly string[],
  writeLog: (text: string) => void,
): ServerRun {
  const child = spawn(process.execPath, [...nodeOptions, "--import", endWithParent, script, ...flags], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ended = once(child, "close").then(([code]) => code as number | null);
  const serving = portOf(child, basename(script), writeLog);
  // Whoever waits for them is told; until then they are no unhandled rejections.
  ended.catch(() => {});
  serving.catch(() => {});
  return {
    pid: child.pid ?? 0,
    serving,
    hasEnded,
    async kill(signal) {
      if (!hasEnded()) {
        child.kill(signal);
      }
      const force = setTimeout(() => child.kill("SIGKILL"), forceAfterMs);
      try {
        return await ended;
      } finally {
        clearTimeout(force);
      }
    },
  };
}

/** Resolves to the port that the process says it serves on; rejects when it ends before. */
function portOf(child: ChildProcess, name: string, writeLog: (text: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    let output: string | undefined = "";
    const take = (text: string): void => {
      writeLog(text);
      if (output !== undefined) {
        output = (output + text).slice(-maxStartOutput);
        const [, port] = /\bserving\b.*\bport=(\d+)/.exec(output) ?? [];
        if (port !== undefined) {
          output = undefined;
          resolve(Number(port));
        }
      }
    };
    child.stdout?.setEncoding("utf8").on("data", take);
    child.stderr?.setEncoding("utf8").on("data", take);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      reject(new Error(`${name} ended with ${code ?? signal} before it served`));
    });
  });
}
