import { spawn } from "node:child_process";
import { once } from "node:events";

/** The exit code and output of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that still runs. */
export interface RunningCommand {
  /** The leader of its process group. */
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Ends the command and all that it started, and resolves to how it went. */
  stop(signal?: NodeJS.Signals): Promise<CommandResult>;
  readonly ended: Promise<CommandResult>;
}

export interface CommandOptions {
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
}

/** Starts a command of shell text, in a process group of its own, so that it can be ended as a whole. */
export function startCommand(command: string, options: CommandOptions = {}): RunningCommand {
  const child = spawn("/bin/sh", ["-c", command], { cwd: options.folder, env: options.env, detached: true });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // A command that does not read its input closes it; that is no fault of ours.
  child.stdin.on("error", () => {});
  child.stdin.end(options.stdin ?? "");
  const ended = once(child, "close").then(([code]): CommandResult => ({ code: code as number | null, stdout, stderr }));
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        process.kill(-child.pid, signal);
      }
      return await ended;
    },
  };
}
