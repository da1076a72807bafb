import { runProgram } from "@gatehouse/testing/process";

/** A program of ours that serves. */
export interface RunningProgram extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts a program, given by its script, that logs as text, and waits until it says on which port it serves. */
export async function startProgram(
  script: string,
  args: readonly string[],
  nodeOptions: readonly string[],
): Promise<RunningProgram> {
  let log = "";
  const run = runProgram({ script, nodeOptions }, [...args, "--logging-format=text"], (text) => {
    log = (log + text).slice(-maxLogCharacters);
  });
  const port = await run.serving.catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : error}:\n${log}`, { cause: error });
  });
  return {
    port,
    pid: run.pid,
    async [Symbol.asyncDispose]() {
      await run.kill("SIGTERM");
    },
  };
}

/** Characters at the end of a log that explain why a program has not started. */
const maxLogCharacters = 20_000;
