import type { AdmissionChain } from "../../admission/admission-chain.js";
import type { RequestContext } from "../../request/request-context.js";
import type { ServedResource } from "../served-resource.js";

/** What verb handlers need besides the resource they work on. Wired once at start. */
export interface VerbEnvironment {
  readonly admission: AdmissionChain;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Lifetime of new objects; only Events have one (`--event-ttl`). */
  readonly ttlSecondsFor: (served: ServedResource) => number | undefined;
  readonly minRequestTimeoutMs: number;
  readonly deleteCollectionWorkers: number;
  /** `--enable-garbage-collector`: deletions may ask for finalizers that the garbage collector removes. */
  readonly garbageCollection: boolean;
  readonly watchListEnabled: boolean;
  /** Aborts when the server stops; watches end then. */
  readonly stopping: AbortSignal;
  readonly metrics: WatchMetrics;
}

export interface WatchMetrics {
  /** Counts an open watch; the function returned ends it. */
  watchStarted(context: RequestContext): () => void;
  watchEvents(served: ServedResource, count: number, bytes: number): void;
}
