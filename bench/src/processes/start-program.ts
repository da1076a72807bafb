import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program of ours that serves. */
export interface RunningProgram extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts a program, given by its script, that logs as text, and waits until it says on which port it serves. */
export async function startProgram(
  name: string,
  script: string,
  args: readonly string[],
  nodeOptions: readonly string[],
): Promise<RunningProgram> {
  const child = spawn(process.execPath, [...nodeOptions, script, ...args, "--logging-format=text"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  const port = await new Promise<number>((resolve, reject) => {
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const [, found] = /\bserving\b.*\bport=(\d+)/.exec(log) ?? [];
      if (found !== undefined) {
        resolve(Number(found));
      }
    });
    child.once("exit", () => reject(new Error(`${name} ended before it served:\n${log}`)));
  });
  return {
    port,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
