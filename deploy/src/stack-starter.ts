import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { createDataDir, explained } from "./data-dir.js";
import { greeting } from "./greeting.js";
import { bindAdministrators } from "./parts/bind-administrators.js";
import { writePeopleKubeconfigs } from "./parts/people-kubeconfigs.js";
import { registerHooks } from "./parts/register-hooks.js";
import type { StackPart } from "./parts/stack-part.js";
import { prepareStack } from "./prepare-stack.js";
import { StartError } from "./start-error.js";
import type { StackRequest, StarterMessage } from "./starter-messages.js";
import { waitUntilReady } from "./wait-until-ready.js";

/**
 * Does the work of a start: certificates and configuration before the processes run, and what has to be said to them
 * afterwards. Ends when the stack can be used, or when it is told to stop.
 */
async function startStack(
  request: StackRequest,
  tell: (message: StarterMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  const dataDir = createDataDir(request.dataDir);
  const { context, parts } = await prepareStack(dataDir, request, (sentence) => tell({ kind: "note", sentence }));
  const wanted: readonly StackPart[] = Object.values(parts).filter((part) => part !== undefined);
  tell({ kind: "prepared", parts: wanted });
  const waiting = new Map<StackPart, Promise<void>>();
  const isReady = (part: StackPart): Promise<void> => {
    const begun = waiting.get(part) ?? waitInTurn(part);
    waiting.set(part, begun);
    return begun;
  };
  async function waitInTurn(part: StackPart): Promise<void> {
    await (part.after && isReady(part.after));
    await waitUntilReady({ pki: context.pki, part, timeoutMs: request.readyTimeoutMs, signal });
    tell({ kind: "ready", part: part.id });
  }
  await Promise.all([...wanted.map(isReady), loadWhatComesNext()]);
  await bindAdministrators(context, parts.apiServer, signal);
  await registerHooks(context, parts, signal);
  await writePeopleKubeconfigs(context, parts).catch((error: unknown) => {
    throw explained(dataDir.path, error);
  });
  const elapsedMs = performance.timeOrigin + performance.now() - request.startedAtMs;
  tell({ kind: "started", greeting: greeting({ dataDir, parts, elapsedMs }) });
}

/** Loads what the kubeconfigs are written with while the processes start, when there is time for it. */
async function loadWhatComesNext(): Promise<void> {
  await import("yaml");
}

function describe(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigurationError) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs as a thread of the supervisor; see starter-thread. */
async function main(): Promise<void> {
  const port = parentPort;
  if (isMainThread || port === null) {
    throw new TypeError("stack-starter is a thread of `gatehouse up`, not a program");
  }
  const stop = new AbortController();
  // The only message there is.
  port.once("message", () => stop.abort());
  const tell = (message: StarterMessage): void => port.postMessage(message);
  try {
    await startStack(workerData as StackRequest, tell, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) {
      tell({ kind: "failed", message: describe(error) });
    }
  }
  port.close();
}

void main();
