import { Readable, Writable } from "node:stream";
import type { CommandStatus, CommandStreams } from "./command-streams.js";
import type { CommandIo } from "./pod-script.js";
import { TerminalSizes } from "./terminal-sizes.js";

/** The container that a command runs in. */
export interface CommandPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** A function of a script, and the words that a kubelet reports its failure in. */
export interface CommandRun {
  readonly place: CommandPlace;
  readonly tty: boolean;
  readonly failure: "error executing command in container" | "error attaching to container";
  readonly run: (io: CommandIo) => unknown;
}

/** Runs a function of a script on the streams of a client, and reports how it went. */
export async function runCommand(streams: CommandStreams, { place, tty, failure, run }: CommandRun): Promise<void> {
  const sizes = new TerminalSizes(streams.resize);
  const stdout = streams.stdout ?? discarding();
  const io: CommandIo = {
    ...place,
    stdin: streams.stdin ?? Readable.from([]),
    stdout,
    stderr: tty ? stdout : (streams.stderr ?? discarding()),
    tty,
    sizes,
    signal: streams.signal,
  };
  const status = await statusOf(run, io, failure);
  sizes.end();
  await streams.finish(status);
}

async function statusOf(run: CommandRun["run"], io: CommandIo, failure: string): Promise<CommandStatus> {
  try {
    const exitCode = await run(io);
    return typeof exitCode === "number" && exitCode !== 0 ? nonZeroExit(exitCode) : { metadata: {}, status: "Success" };
  } catch (error) {
    const message = `${failure}: ${error instanceof Error ? error.message : String(error)}`;
    return {
      metadata: {},
      status: "Failure",
      message: `Internal error occurred: ${message}`,
      reason: "InternalError",
      details: { causes: [{ message }] },
      code: 500,
    };
  }
}

function nonZeroExit(exitCode: number): CommandStatus {
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(exitCode) }] },
  };
}

function discarding(): Writable {
  return new Writable({ write: (_data, _encoding, written) => written() });
}
