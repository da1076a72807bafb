import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type ProcessLike, runUntilSignal } from "@gatehouse/component-base";
import { createDataDir, type DataDir, lockDataDir, rotateLog, type Unlock, unusable } from "./data-dir.js";
import { claimPort } from "./free-port.js";
import { greeting } from "./greeting.js";
import { ensureKubeconfig, ensureLocalPki, type LocalPki } from "./local-pki.js";
import { findServerScript, serverFlags } from "./server-command.js";
import { StartError, systemErrorCode } from "./start-error.js";
import { type Backoff, createSupervisor, EndedEarlyError, type Supervisor } from "./supervisor.js";
import { waitUntilReady } from "./wait-until-ready.js";

/** Where the local stack lives, and what of its surroundings `up` may touch. */
export interface UpOptions {
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly process: ProcessLike & { readonly pid: number };
  /** Environment of the processes that are started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the command was given. */
  readonly elapsedMs: () => number;
  /** Shows a line to the person at the keyboard. */
  readonly print: (line: string) => void;
  /** Shows what went wrong. */
  readonly printError: (line: string) => void;
  /** Runs in the place of gatehouse-apiserver. */
  readonly serverScript?: string | undefined;
  /** Default `defaultBackoff`. */
  readonly backoff?: Backoff;
  /** Default one minute. */
  readonly readyTimeoutMs?: number;
}

/** Time for everything to end after Ctrl-C, in milliseconds. */
const stopDeadlineMs = 20_000;

const defaultReadyTimeoutMs = 60_000;

/**
 * Starts a local stack and keeps it running until a signal comes. Ends by calling `exit`: with 0 after a signal, with 1
 * and one clear sentence when the stack cannot be started or kept up.
 */
export async function up(options: UpOptions): Promise<void> {
  const stop = new AbortController();
  let failed = false;
  const fail = (message: string): void => {
    failed = true;
    options.printError(message);
    stop.abort();
  };
  const stack = createStack(options, fail);
  const finished = runUntilSignal({
    process: {
      on: (signal, listener) => options.process.on(signal, listener),
      off: (signal, listener) => options.process.off(signal, listener),
      exit: (code) => options.process.exit(failed ? 1 : code),
    },
    tasks: [{ name: "stack", drain: stack.stop }],
    deadlineMs: stopDeadlineMs,
    stop: stop.signal,
  });
  await stack.start();
  await finished;
}

interface Stack {
  /** Never rejects: what goes wrong is told by `fail`. */
  start(): Promise<void>;
  stop(signal: AbortSignal): Promise<void>;
}

function createStack(options: UpOptions, fail: (message: string) => void): Stack {
  const starting = new AbortController();
  let started: Promise<void> = Promise.resolve();
  let unlock: Unlock | undefined;
  let supervisor: Supervisor | undefined;

  async function startAll(): Promise<void> {
    const dataDir = createDataDir(resolve(options.dataDir));
    unlock = await lockDataDir(dataDir, options.process.pid);
    const port = await claimPort(options.port);
    const pki = await preparePki(dataDir, port);
    const script = options.serverScript === undefined ? await findServerScript() : resolve(options.serverScript);
    starting.signal.throwIfAborted();

    supervisor = createSupervisor(
      {
        name: "API server",
        script,
        flags: serverFlags(dataDir, pki, port),
        logFile: dataDir.serverLog,
        env: options.env,
      },
      {
        restarting(ending, delayMs) {
          options.print(`The API server ${ending}; starting it again in ${delayMs / 1000} s.`);
        },
        gaveUp(ending) {
          fail(`the API server ${ending} again and again, the last time at once; see ${dataDir.serverLog}.`);
        },
      },
      options.backoff,
    );
    const timeoutMs = options.readyTimeoutMs ?? defaultReadyTimeoutMs;
    try {
      await supervisor.start(() => waitUntilReady({ pki, port, timeoutMs, signal: starting.signal }));
    } catch (error) {
      throw error instanceof EndedEarlyError ? await explainEarlyEnd(error, dataDir) : error;
    }
    options.print(greeting({ dataDir, port, elapsedMs: options.elapsedMs() }));
  }

  return {
    async start() {
      started = startAll();
      try {
        await started;
      } catch (error) {
        if (!starting.signal.aborted) {
          fail(describe(error));
        }
      }
    },
    async stop(signal) {
      starting.abort();
      await started.catch(() => {});
      await supervisor?.stop(signal);
      await unlock?.();
    },
  };
}

async function preparePki(dataDir: DataDir, port: number): Promise<LocalPki> {
  try {
    const pki = await ensureLocalPki(dataDir);
    await ensureKubeconfig(dataDir, pki, port);
    await rotateLog(dataDir.serverLog);
    return pki;
  } catch (error) {
    throw systemErrorCode(error) === undefined ? error : unusable(dataDir.path, error);
  }
}

/** The end of the log says why better than a code does. */
async function explainEarlyEnd(error: EndedEarlyError, dataDir: DataDir): Promise<StartError> {
  const log = await readFile(dataDir.serverLog, "utf8").catch(() => "");
  const lines = log.trimEnd().split("\n").slice(-10);
  return new StartError(
    `the API server ${error.message} before it was ready; its log (${dataDir.serverLog}) ends with:\n${lines.join("\n")}`,
    { cause: error },
  );
}

function describe(error: unknown): string {
  if (error instanceof StartError) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
