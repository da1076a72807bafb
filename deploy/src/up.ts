import { resolve } from "node:path";
import { type ProcessLike, runUntilSignal } from "@gatehouse/component-base/shutdown";
import { unlessAborted } from "@gatehouse/component-base/time";
import { createDataDir, lockDataDir, type Unlock } from "./data-dir.js";
import type { StackPart } from "./parts/stack-part.js";
import type { ProcessFlags } from "./process-flags.js";
import { type Stack, startStack } from "./stack.js";
import { StartError } from "./start-error.js";
import type { AdditionalPart, OptionalPart, StackRequest } from "./starter-messages.js";
import { type StarterThread, startInThread } from "./starter-thread.js";
import type { Backoff } from "./supervisor.js";

/** Data directory of the local stack, and the parts of its surroundings that `up` may use. */
export interface UpOptions {
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly process: ProcessLike & { readonly pid: number };
  /** Environment of the processes that are started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time at which the command was given, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Shows a line to the person at the keyboard. */
  readonly print: (line: string) => void;
  /** Shows what went wrong. */
  readonly printError: (line: string) => void;
  /** Optional parts that are not to be started. */
  readonly without: readonly OptionalPart[];
  /** Additional parts to start. The token review server brings the identity provider with it. */
  readonly with?: readonly AdditionalPart[];
  /** Starts an identity provider to log in at, too. */
  readonly withOidc?: boolean;
  /** Runs in the place of gatehouse-apiserver. */
  readonly serverScript?: string | undefined;
  /** Flags to add to the command lines of processes. */
  readonly processFlags?: ProcessFlags;
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
  const starting = startUp(options, fail);
  const finished = runUntilSignal({
    process: {
      on: (signal, listener) => options.process.on(signal, listener),
      off: (signal, listener) => options.process.off(signal, listener),
      exit: (code) => options.process.exit(failed ? 1 : code),
      endAtOnce: () => options.process.endAtOnce(),
      endAfter: (ms) => options.process.endAfter(ms),
    },
    tasks: [{ name: "stack", drain: starting.stop }],
    deadlineMs: stopDeadlineMs,
    stop: stop.signal,
  });
  await starting.done;
  await finished;
}

interface Starting {
  /** Resolves when the stack runs or has failed; what goes wrong is told by `fail`. */
  readonly done: Promise<void>;
  stop(signal: AbortSignal): Promise<void>;
}

function startUp(options: UpOptions, fail: (message: string) => void): Starting {
  const stopping = new AbortController();
  let unlock: Unlock | undefined;
  let starter: StarterThread | undefined;
  let stack: Stack | undefined;

  const failUnlessStopping = (message: string): void => {
    if (!stopping.signal.aborted) {
      fail(message);
    }
  };

  async function startAll(): Promise<void> {
    const dataDir = createDataDir(resolve(options.dataDir));
    unlock = await lockDataDir(dataDir, options.process.pid);
    stopping.signal.throwIfAborted();
    const readiness = new Readiness();
    starter = startInThread(requestOf(options, dataDir.path), {
      prepared(parts) {
        if (stopping.signal.aborted) {
          return;
        }
        options.print(`Starting ${namesOf(parts)} in ${dataDir.path}.`);
        stack = startStack(parts, {
          env: options.env,
          processFlags: options.processFlags ?? new Map(),
          waitUntilReady: ({ id }) => unlessAborted(readiness.of(id).promise, stopping.signal),
          signal: stopping.signal,
          backoff: options.backoff,
          print: options.print,
          fail,
        });
        stack.ready.catch((error: unknown) => failUnlessStopping(describe(error)));
      },
      ready: (part) => readiness.of(part).resolve(),
      note: options.print,
      started: options.print,
      failed: failUnlessStopping,
    });
    await starter.ended;
  }

  const done = startAll().catch((error: unknown) => failUnlessStopping(describe(error)));
  return {
    done,
    async stop(signal) {
      stopping.abort();
      if (stack !== undefined) {
        options.print(`Stopping ${namesOf(stack.parts)}.`);
      }
      await starter?.stop(signal);
      await done;
      await stack?.stop(signal);
      await unlock?.();
    },
  };
}

/** The set of ready processes, on which others can wait. */
class Readiness {
  readonly #parts = new Map<StackPart["id"], { readonly promise: Promise<void>; readonly resolve: () => void }>();

  of(id: StackPart["id"]): { readonly promise: Promise<void>; readonly resolve: () => void } {
    const known = this.#parts.get(id);
    if (known !== undefined) {
      return known;
    }
    let resolve = (): void => {};
    const promise = new Promise<void>((fulfil) => {
      resolve = fulfil;
    });
    const made = { promise, resolve };
    this.#parts.set(id, made);
    return made;
  }
}

function requestOf(options: UpOptions, dataDir: string): StackRequest {
  return {
    dataDir,
    port: options.port,
    without: options.without,
    with: options.with ?? [],
    withOidc: options.withOidc ?? false,
    serverScript: options.serverScript,
    startedAtMs: options.startedAtMs,
    readyTimeoutMs: options.readyTimeoutMs ?? defaultReadyTimeoutMs,
  };
}

/** The names of parts as a phrase: "the API server and the audit sink". */
function namesOf(parts: readonly StackPart[]): string {
  const names = parts.map(({ name }) => `the ${name}`);
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((text) => text !== "").join(" and ");
}

function describe(error: unknown): string {
  if (error instanceof StartError) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
