import type { BeforeWebhook } from "@gatehouse/apiserver/admission";
import type { ServerParts } from "@gatehouse/apiserver/server";
import type { Store } from "@gatehouse/apiserver/storage";
import { MemoryData, rewindStore, type StoreImage } from "@gatehouse/apiserver/storage/memory";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { parseFlags } from "@gatehouse/component-base/flags";
import { createLogger } from "@gatehouse/component-base/logs";
import { problemAt } from "@gatehouse/component-base/problems";
import { levelOfVerbosity } from "./debug/verbosity.js";
import { type ServerFlagValues, serverFlags } from "./flags.js";
import {
  CapturedStore,
  configOfClone,
  type FaultedRequest,
  FaultInjector,
  type RequestFault,
  type RequestRecorder,
  recordRequests,
} from "./harness/index.js";
import { resolveServerConfig } from "./options/server-config.js";
import { type StartedServer, startServer } from "./server.js";

/** Time in milliseconds in which caches follow the store. */
const feedTimeoutMs = 30_000;

/** Options of a server that runs in the process of its caller. */
export interface InProcessOptions {
  /** Takes finished lines of text, each with its line break. Must not throw. */
  readonly writeLog: (line: string) => void;
  /** The data of a server beside the one whose flags it has; that of the flags when absent. */
  readonly data?: MemoryData | undefined;
  /** Returns the time in milliseconds since the epoch; that of the machine when absent. */
  readonly now?: () => number;
  /** Returns the faults of a request; undefined for none. */
  readonly faultsOf?: (request: FaultedRequest) => RequestFault | undefined;
  /** Called before each call of a webhook. Text that it returns makes the call fail. */
  readonly beforeWebhook?: BeforeWebhook;
  /** Takes requests while it wants them; nothing is kept of requests when absent. */
  readonly recorder?: RequestRecorder;
}

/** An API server in this process. */
export interface InProcessServer extends StartedServer {
  /**
   * Returns everything that is stored, as it is now, for `dataOf`. To be called while the server runs. Rejects with a
   * TypeError when its data lies in several stores.
   */
  image(): Promise<StoreImage>;
  /**
   * Makes everything look at the clock `now` that waits for a time, after it has been set ahead: stores delete keys whose time
   * is over, leases of the API of etcd end, and controllers do what has become due.
   */
  clockAdvanced(): void;
  /** Cuts the connections of requests under way that match; returns how many there were. */
  cut(matches: (request: FaultedRequest) => boolean): number;
  /**
   * Writes the content of an image back under new revisions. Watches under way end with 410, as do those from versions
   * before. Resolves when reads see it.
   */
  rewind(image: StoreImage): Promise<void>;
}

/** Makes data in memory that begins as an image, with which it shares all that does not change. */
export function dataOf(image: StoreImage): MemoryData {
  return new MemoryData(image);
}

/**
 * Starts an API server in this process, configured by the flags of `gatehouse-apiserver`. It installs no handlers of
 * signals and never ends the process. Throws ConfigurationError with every problem of the flags at once.
 */
export function startInProcess(argv: readonly string[], options: InProcessOptions): InProcessServer {
  const { values, warnings } = readFlags(argv);
  const resolved = resolveServerConfig(values);
  const config = options.data === undefined ? resolved : configOfClone(resolved);
  const logThreshold = { level: levelOfVerbosity(values.v) };
  const logger = createLogger({
    name: "gatehouse-apiserver",
    level: logThreshold,
    format: "text",
    write: options.writeLog,
  });
  for (const warning of [...warnings, ...config.warnings]) {
    logger.warn(warning);
  }
  const { now = Date.now, faultsOf = () => undefined, beforeWebhook, recorder } = options;
  const captured = new CapturedStore(config, options.data, now);
  const advanceListeners = new Set<() => void>([() => captured.expireNow()]);
  const injector = new FaultInjector(faultsOf);
  let parts: ServerParts | undefined;
  const onOpen = (open: ServerParts): void => {
    parts = open;
  };
  return {
    ...startServer(config, logger, {}, undefined, logThreshold, {
      ...{ store: captured.open, onOpen, now, innerFilter: injector.filter },
      onClockAdvance: (listener) => void advanceListeners.add(listener),
      ...(beforeWebhook && { beforeWebhook }),
      ...(recorder && { outerFilter: recordRequests(recorder, now) }),
    }),
    image: () => captured.image(),
    clockAdvanced() {
      for (const listener of advanceListeners) {
        listener();
      }
    },
    cut: (matches) => injector.cut(matches),
    async rewind(image) {
      await rewindServer(running(parts), captured.store, { image, keyPrefix: config.keyPrefix });
    },
  };
}

/** Rewinds the store, and ends what has begun with the history that is gone. */
async function rewindServer(
  parts: ServerParts,
  store: Store,
  { image, keyPrefix }: { readonly image: StoreImage; readonly keyPrefix: string },
): Promise<void> {
  const { storages, signal, now } = parts;
  const revision = await rewindStore(store, image, { keyPrefix, now });
  await storages.forgetHistory(revision, signal, feedTimeoutMs);
}

function running<T>(part: T | undefined): T {
  if (part === undefined) {
    throw new TypeError("the server does not run");
  }
  return part;
}

function readFlags(argv: readonly string[]): {
  readonly values: ServerFlagValues;
  readonly warnings: readonly string[];
} {
  const parsed = parseFlags(serverFlags, argv);
  if (parsed.outcome === "run") {
    if (parsed.values.workers !== "1") {
      throw new ConfigurationError("flags", [
        problemAt("--workers", 'a server in this process has no others; use mode "process"'),
      ]);
    }
    return parsed;
  }
  throw new ConfigurationError(
    "flags",
    parsed.outcome === "invalid"
      ? parsed.problems
      : [problemAt(`--${parsed.outcome}`, "can be given to the command gatehouse-apiserver only")],
  );
}
