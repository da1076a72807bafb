import { Worker } from "node:worker_threads";
import type { StackPart } from "./parts/stack-part.js";
import type { StackRequest, StarterMessage, StopStarting } from "./starter-messages.js";

/** Callbacks for the steps of a start; the last one is `started` or `failed`. None is called after `ended` has resolved. */
export interface StarterEvents {
  prepared(parts: readonly StackPart[]): void;
  ready(part: StackPart["id"]): void;
  note(sentence: string): void;
  started(greeting: string): void;
  failed(message: string): void;
}

/** The thread that starts a stack. */
export interface StarterThread {
  /** Resolves when the thread is gone, and its memory with it. Never rejects. */
  readonly ended: Promise<void>;
  /** Asks it to give up, and forces it when `signal` aborts. Resolves when it is gone. */
  stop(signal: AbortSignal): Promise<void>;
}

/**
 * Runs the start of a stack in a thread of its own: certificates, YAML, hooks and HTTP take much memory, which the
 * supervisor would keep for as long as the stack runs.
 */
export function startInThread(request: StackRequest, events: StarterEvents): StarterThread {
  const worker = new Worker(new URL("stack-starter.js", import.meta.url), { workerData: request });
  let isConcluded = false;
  const fail = (message: string): void => {
    isConcluded = true;
    events.failed(message);
  };
  worker.on("message", (message: StarterMessage) => {
    switch (message.kind) {
      case "prepared":
        return events.prepared(message.parts);
      case "ready":
        return events.ready(message.part);
      case "note":
        return events.note(message.sentence);
      case "started":
        isConcluded = true;
        return events.started(message.greeting);
      case "failed":
        return fail(message.message);
    }
  });
  worker.once("error", (error) => fail(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", (code) => {
      if (!isConcluded) {
        fail(`the thread that starts the stack ended with code ${code}.`);
      }
      resolve();
    });
  });
  return {
    ended,
    async stop(signal) {
      const force = (): void => void worker.terminate();
      signal.addEventListener("abort", force, { once: true });
      worker.postMessage({ kind: "stop" } satisfies StopStarting);
      if (signal.aborted) {
        force();
      }
      await ended;
      signal.removeEventListener("abort", force);
    },
  };
}
