import type { Defaulting } from "@gatehouse/envelopes/defaults";
import type { ExpressionMetrics } from "@gatehouse/policies/structural-schemas";
import type { AdmissionChain } from "../admission/admission-chain.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { RegistrySource } from "../registry/live-registry.js";
import type { Privileges } from "../registry/privileges.js";
import type { ServedResource } from "../registry/served-resource.js";
import type { RecordOwnWrite } from "../request/audit-trail.js";
import type { RequestContext } from "../request/request-context.js";
import type { PodTermination } from "./deletion/plan-deletion.js";

/** The parts that verb handlers need besides the resource they work on. Wired once at start. */
export interface VerbEnvironment {
  /** The liveRegistry in which other versions of a kind are found. */
  readonly liveRegistry: RegistrySource;
  readonly admission: AdmissionChain;
  /** Tells what users may do, for what they do to others by the way. */
  readonly privileges: Privileges;
  /** Fills in what clients leave out. */
  readonly defaulting: Defaulting;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Lifetime in seconds of objects that expire (`--event-ttl`). */
  readonly eventTtlSeconds: number;
  readonly features: FeatureGates;
  /** True if containers may have all rights on their node (`--allow-privileged`). */
  readonly allowPrivileged: boolean;
  readonly minRequestTimeoutMs: number;
  /** Objects that one deletion of a collection works on at a time. */
  readonly deleteCollectionWorkers: number;
  /** True if deletions may set finalizers that the garbage collector removes (`--enable-garbage-collector`). */
  readonly garbageCollection: boolean;
  /** The termination of deleted pods (`--pod-termination`): they wait for their kubelet, or go at once. */
  readonly podTermination: PodTermination;
  /** Aborts when the server stops; watches end then. */
  readonly stopping: AbortSignal;
  readonly metrics: VerbMetrics;
  /** Measures the expressions of schemas; undefined where nobody does. */
  readonly expressionMetrics?: ExpressionMetrics | undefined;
  /** Records what the server itself writes; undefined where nothing is recorded. */
  readonly recordOwnWrite?: RecordOwnWrite | undefined;
  /** Logs an error of ours that no request can answer any more. */
  readonly reportFault: (error: unknown) => void;
  /** Reports whether the store answers now. */
  readonly storeHealthy: () => Promise<boolean>;
}

/**
 * Called by the verb handlers in the middle of requests, the last of them for each piece that a watch sends. An
 * implementation must not throw or wait.
 */
export interface VerbMetrics {
  /** Counts a use of a deprecated API. */
  deprecatedApi(served: ServedResource, subresource: string, removedRelease: string): void;
  /** Counts an open watch, or another request that lasts as long as its client likes; the function returned ends it. */
  longRunningStarted(context: RequestContext): () => void;
  /** Measures how long a watch took to send the objects that it began with. */
  watchListSent(context: RequestContext): void;
  /** Counts a request of the server's own, by its verb in metrics (`LIST`). */
  selfRequest(verb: string, resource: string, subresource: string): void;
  /** Counts events that were handed to one watcher, and their bytes before compression. */
  watchEvents(served: ServedResource, count: number, bytes: number): void;
}
