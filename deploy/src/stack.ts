import { readFile, stat } from "node:fs/promises";
import { rotateLog } from "./data-dir.js";
import type { StackPart } from "./parts/stack-part.js";
import type { ProcessFlags } from "./process-flags.js";
import { StartError } from "./start-error.js";
import { type Backoff, createSupervisor, EndedEarlyError, type Supervisor } from "./supervisor.js";

/**
 * Keeps V8 from taking up to 48 MB for young objects, as it does while modules are loaded: that is 20 MB of the memory of
 * a process which answers a few requests. Only the API server is asked so much that the larger heap makes it faster.
 */
const smallYoungHeap = ["--max-semi-space-size=2"];

/** Settings and callbacks of a running stack. */
export interface StackOptions {
  /** Environment of the processes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Flags to add to those of the parts. */
  readonly processFlags: ProcessFlags;
  /** Resolves when the part, which has been started, is ready; rejects when `signal` aborts. */
  readonly waitUntilReady: (part: StackPart) => Promise<void>;
  /** Ends the start. */
  readonly signal: AbortSignal;
  readonly backoff: Backoff | undefined;
  /** Shows a line to the person at the keyboard. */
  readonly print: (line: string) => void;
  /** Called with one sentence when a process cannot be kept running. */
  readonly fail: (message: string) => void;
}

/** Processes that are kept running together. */
export interface Stack {
  readonly parts: readonly StackPart[];
  /** Resolves when all of them are ready; rejects with StartError when one of them will not be. */
  readonly ready: Promise<void>;
  /** Asks all of them to end, forces those that have not when `signal` aborts, and waits until they are gone. */
  stop(signal: AbortSignal): Promise<void>;
}

/** Starts the parts side by side: none waits for another to begin, unless it says so. */
export function startStack(parts: readonly StackPart[], options: StackOptions): Stack {
  const startedParts = new Map<StackPart, StartedPart>();
  const start = (part: StackPart): StartedPart => {
    const begun = startedParts.get(part);
    if (begun !== undefined) {
      return begun;
    }
    const started = superviseAndStart(part, options, part.after && start(part.after).ready);
    startedParts.set(part, started);
    return started;
  };
  const started = parts.map(start);
  return {
    parts,
    ready: Promise.all(started.map(({ ready }) => ready)).then(() => undefined),
    async stop(signal) {
      await Promise.all(started.map(({ supervisor }) => supervisor.stop(signal)));
    },
  };
}

interface StartedPart {
  readonly supervisor: Supervisor;
  readonly ready: Promise<void>;
}

function superviseAndStart(part: StackPart, options: StackOptions, after: Promise<void> | undefined): StartedPart {
  const { name, logFile } = part;
  const flags = [...part.flags, ...(options.processFlags.get(part.id) ?? [])];
  const supervisor = createSupervisor(
    { ...part, flags, nodeFlags: part.id === "apiserver" ? [] : smallYoungHeap, env: options.env },
    {
      restarting(ending, delayMs) {
        options.print(`The ${name} ${ending}; starting it again in ${delayMs / 1000} s.`);
      },
      gaveUp(ending) {
        options.fail(`the ${name} ${ending} again and again, the last time at once; see ${logFile}.`);
      },
    },
    options.backoff,
  );
  return { supervisor, ready: startPart(part, supervisor, options, after) };
}

async function startPart(
  part: StackPart,
  supervisor: Supervisor,
  options: StackOptions,
  after: Promise<void> | undefined,
): Promise<void> {
  await after;
  await rotateLog(part.logFile);
  const logStart = await sizeOf(part.logFile);
  // It may have been stopped meanwhile.
  options.signal.throwIfAborted();
  try {
    await supervisor.start(() => options.waitUntilReady(part));
  } catch (error) {
    throw error instanceof EndedEarlyError ? await explainEarlyEnd(error, part, logStart) : error;
  }
}

/** The end of the log says why better than a code does. Lines of earlier starts, before `logStart` in bytes, do not. */
async function explainEarlyEnd(
  error: EndedEarlyError,
  { name, logFile }: StackPart,
  logStart: number,
): Promise<StartError> {
  const log = await readFile(logFile).catch(() => Buffer.alloc(0));
  const lines = log.toString("utf8", logStart).trimEnd().split("\n").slice(-10);
  return new StartError(
    `the ${name} ${error.message} before it was ready; its log (${logFile}) ends with:\n${lines.join("\n")}`,
    { cause: error },
  );
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.size ?? 0;
}
