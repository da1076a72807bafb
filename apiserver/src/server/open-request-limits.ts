import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { Filter } from "../filters/filter.js";
import { limitInflight } from "../filters/limit-inflight.js";
import type { RequestTerminations } from "../filters/request-terminations.js";
import { shareFairly } from "../filters/share-fairly.js";
import {
  defaultRequestLimits,
  FlowControl,
  FlowControlMetrics,
  InflightCounts,
  type RequestLimits,
} from "../flow-control/index.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { RegistrySource } from "../registry/live-registry.js";
import type { Closers } from "./closers.js";

/** The parts of the server that limits need. */
export interface RequestLimitParts {
  readonly registry: MetricsRegistry;
  readonly liveRegistry: RegistrySource;
  readonly features: FeatureGates;
  readonly requestTimeoutMs: number;
  readonly terminations: RequestTerminations;
  readonly closers: Closers;
}

/** The filter that limits requests, and what it is configured by. */
export interface OpenRequestLimits {
  readonly filter: Filter;
  /** Priority and fairness; undefined where reads and writes have a limit each. */
  readonly flowControl: FlowControl | undefined;
  /** Reports whether the counts that limits of reads and writes compare with are sound. */
  readonly areCountsSound: () => boolean;
}

/** Opens the limits of concurrent requests. */
export function openRequestLimits(
  limits: RequestLimits = defaultRequestLimits,
  { registry, liveRegistry, features, requestTimeoutMs, terminations, closers }: RequestLimitParts,
): OpenRequestLimits {
  if (!limits.fairness) {
    const counts = new InflightCounts(registry, new FlowControlMetrics(registry).readWriteRatio());
    const filter = limitInflight(limits, counts, terminations);
    return { filter, flowControl: undefined, areCountsSound: () => counts.isSound };
  }
  const flowControl = new FlowControl({
    limits,
    registry,
    hasStreamingLists: features.enabled("WatchList"),
    maxWaitMs: requestTimeoutMs / 4,
    countObjects(group, resource) {
      const served = liveRegistry.current.findAnyVersion(group, resource);
      return served?.isStored === true && served.storage.cache.isReady
        ? served.storage.cache.snapshot().count(served.storage.prefix)
        : undefined;
    },
  });
  closers.use(flowControl);
  return { filter: shareFairly(flowControl, terminations), flowControl, areCountsSound: () => true };
}
