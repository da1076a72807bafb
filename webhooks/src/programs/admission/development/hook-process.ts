import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../main.js", import.meta.url));
const serving = fileURLToPath(new URL("./serve-for-dev.js", import.meta.url));

type Environment = NodeJS.ProcessEnv;

/** Hooks that are served by a process of their own, which ends with this one. */
export interface ServedHooks {
  /** Resolves to true when the hooks are served, to false when they cannot be loaded or their port is taken. */
  readonly listening: Promise<boolean>;
  /** Asks the process to end, and kills it when the signal aborts. Resolves when it has gone. */
  end(signal: AbortSignal): Promise<void>;
}

/** Starts to serve hooks. `onLost` is called when the process ends unasked. */
export function serveHooks(args: readonly string[], env: Environment, onLost: () => void): ServedHooks {
  // In a process group of its own: Ctrl-C is for `dev`, which lets go of the cluster before the hooks end.
  const child = spawn(process.execPath, ["--enable-source-maps", serving, ...args], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    detached: true,
    env,
  });
  let isListening = false;
  let isAskedToEnd = false;
  const ended = once(child, "exit").then(() => {
    if (isListening && !isAskedToEnd) {
      onLost();
    }
    return false;
  });
  const told = new Promise<boolean>((resolve) => {
    child.once("message", () => {
      isListening = true;
      resolve(true);
    });
  });
  return {
    listening: Promise.race([told, ended]),
    async end(signal) {
      isAskedToEnd = true;
      await endChild(child, ended, signal);
    },
  };
}

/** Runs a command of this program to its end; resolves to true when it has succeeded. */
export async function runProgram(args: readonly string[], env: Environment): Promise<boolean> {
  const words = ["--enable-source-maps", program, ...args];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"], detached: true, env });
  const [code] = await once(child, "close");
  return code === 0;
}

/** Runs a line in a shell; resolves to true when it has succeeded. It is killed when the signal aborts. */
export async function runCommandLine(line: string, env: Environment, signal: AbortSignal): Promise<boolean> {
  const child = spawn(line, { shell: true, stdio: ["ignore", "inherit", "inherit"], env });
  const ended = once(child, "close");
  const kill = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  const [code] = await ended;
  signal.removeEventListener("abort", kill);
  return code === 0;
}

async function endChild(child: ChildProcess, ended: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const kill = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  child.kill(signal.aborted ? "SIGKILL" : "SIGTERM");
  await ended;
  signal.removeEventListener("abort", kill);
}
