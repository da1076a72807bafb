import type { ProcessLike } from "../shutdown/process-like.js";

/** The parts of its surroundings that a command may use. */
export interface CommandIo {
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
  /** Writes a line to standard error. */
  readonly printError: (line: string) => void;
  /** Writes over what it has written last on standard error, without a line break. Absent where that is no terminal. */
  readonly showProgress?: (text: string) => void;
  /**
   * Aborts when a line could not be written to standard output: its reader has gone (`| head`), or its disk is full. A
   * command that prints much, or for long, ends then. One that serves goes on. Absent where that cannot happen.
   */
  readonly outputClosed?: AbortSignal;
  readonly process: ProcessLike;
  /** Environment, for child processes and KUBECONFIG. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One word of a program: `gatehouse-admission register`. */
export interface Command {
  /**
   * Runs with the arguments after the word; resolves to the exit code: 0, or 1 when it could not do what was asked, or
   * found what it looks for. Rejects with ConfigurationError when what it was given is wrong.
   */
  run(argv: readonly string[], io: CommandIo): Promise<number>;
  /** Exit code when it rejects with an error that the user can mend. Default 1. */
  readonly errorCode?: number;
}
