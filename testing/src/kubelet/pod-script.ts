import type { Duplex, Readable, Writable } from "node:stream";

/** A line of a log, written now or at a time of its own. The text has no line break at its end. */
export type LogEntry = string | { readonly text: string; readonly time?: Date };

/** A request for a log, as the query of the API says it. */
export interface LogQuery {
  /** True if the answer goes on until the container ends. */
  readonly follow: boolean;
  /** True if the log of the container's last run is wanted. */
  readonly previous: boolean;
  /** True if each line begins with its time. */
  readonly timestamps: boolean;
  /** Lines before this time are left out. */
  readonly since: Date | undefined;
  /** The number of lines at the end of the log, before `since` is looked at. */
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

/**
 * Makes the text of a log for each request. It is read as fast as the client takes it. `limitBytes` is applied to it; all
 * else of the query is left to the function.
 */
export type LogGenerator = (query: LogQuery) => Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Streams and circumstances of a command that a client runs in a container. */
export interface CommandIo {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Input of the client; at its end from the beginning if the client sends none. */
  readonly stdin: Readable;
  /** Output to the client; what it does not want is dropped. With a terminal, `stderr` is `stdout`. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** True if the client asked for a terminal. */
  readonly tty: boolean;
  /** Sizes of the client's terminal: the newest one, then each change. Ends with the command. */
  readonly sizes: AsyncIterable<TerminalSize>;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** The exit code of a command; none stands for 0. What a handler throws is reported as a failure of the runtime. */
export type ExitCode = number | undefined;

/** Runs a command for `kubectl exec`, `kubectl cp` and `/run`. */
export type ExecHandler = (command: readonly string[], io: CommandIo) => ExitCode | Promise<ExitCode>;

/** Is the process that `kubectl attach` attaches to. The stream ends when it returns. */
export type AttachHandler = (io: CommandIo) => void | Promise<void>;

/** Serves one connection to a port. What it throws is reported to the client, and ends the connection. */
export type PortHandler = (connection: Duplex) => void | Promise<void>;

/** The answers of one container. */
export interface ContainerScript {
  /** Lines that the log begins with, or a function that makes the text. Default: none. */
  readonly logs?: readonly LogEntry[] | LogGenerator;
  /** The log of the last run, for `kubectl logs --previous`. Without it there was none. */
  readonly previousLogs?: readonly LogEntry[];
  /** Runs commands. Without it, they fail. */
  readonly exec?: ExecHandler;
  /** Serves clients that attach. Default: they get the new lines of the log. */
  readonly attach?: AttachHandler;
}

/** The answers of a pod. Those of the pod itself hold for all containers that have none of their own. */
export interface PodScript extends ContainerScript {
  readonly containers?: Readonly<Record<string, ContainerScript>>;
  /** Ports that can be forwarded to: a function, or a TCP port of 127.0.0.1. */
  readonly ports?: Readonly<Record<number, PortHandler | number>>;
}
