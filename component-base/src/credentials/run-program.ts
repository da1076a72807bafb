import { spawn } from "node:child_process";

/** A program to run to its end, for what it prints. */
export interface ProgramToRun {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** True if the program may read standard input of this process. */
  readonly inheritInput: boolean;
  readonly timeoutMs: number;
  /** Hint in the error when the command is not found. */
  readonly installHint?: string;
}

/** Resolves to standard output. Rejects, in client-go's words, when the program fails or does not end in time. */
export type RunProgram = (program: ProgramToRun) => Promise<string>;

const maxOutputBytes = 1024 * 1024;

/** Runs a program without a shell. What it writes to standard error goes to ours, since it is for people. */
export const runProgram: RunProgram = (program) =>
  new Promise((resolve, reject) => {
    const { command, timeoutMs } = program;
    const child = spawn(command, program.args, {
      env: { ...process.env, ...program.environment },
      stdio: [program.inheritInput ? "inherit" : "ignore", "pipe", "inherit"],
    });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      // A plugin that does not listen to SIGTERM would be waited for without end.
      child.kill("SIGKILL");
    }, timeoutMs);
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) {
        child.kill("SIGKILL");
        reject(new Error(`exec: executable ${command} printed more than ${maxOutputBytes} bytes`));
        return;
      }
      chunks.push(chunk);
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(startError(program, error));
    });
    // A process that the plugin has left behind may keep its output open.
    child.once("exit", () => setTimeout(() => child.stdout?.destroy(), 1000).unref());
    child.once("close", (code) => {
      clearTimeout(timer);
      if (code === 0) {
        resolve(Buffer.concat(chunks, bytes).toString("utf8"));
      } else if (late) {
        reject(new Error(`exec: executable ${command} did not end within ${timeoutMs} ms`));
      } else {
        reject(new Error(`exec: executable ${command} failed with exit code ${code ?? -1}`));
      }
    });
  });

function startError({ command, installHint }: ProgramToRun, error: Error): Error {
  if ("code" in error && (error.code === "ENOENT" || error.code === "EACCES")) {
    const hint = installHint === undefined ? "" : `\n\n${installHint}`;
    return new Error(`exec: executable ${command} not found${hint}`, { cause: error });
  }
  return new Error(`exec: ${error.message}`, { cause: error });
}
