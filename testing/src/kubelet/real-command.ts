import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ExecHandler } from "./pod-script.js";

/**
 * Makes a handler that runs commands as processes of this machine, in a folder: `kubectl cp` needs a real `tar`. There is no
 * terminal. A process ends with its client, by SIGKILL. Paths are those of this machine, so use it for trusted tests only.
 */
export function runInFolder(folder: string): ExecHandler {
  return async ([program = "", ...args], { stdin, stdout, stderr, signal }) => {
    const child = spawn(program, args, { cwd: folder, signal, killSignal: "SIGKILL" });
    // A process that does not read its input closes it.
    child.stdin.on("error", () => {});
    stdin.pipe(child.stdin);
    child.stdout.pipe(stdout, { end: false });
    child.stderr.pipe(stderr, { end: false });
    const [code] = await once(child, "close");
    return typeof code === "number" ? code : 137;
  };
}
