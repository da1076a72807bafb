import { formatMilliseconds } from "@gatehouse/envelopes/go";
import type { AwaitedLayer } from "../request/audit-trail.js";

/** The duration in milliseconds above which a request gets latency annotations, as in v1.29. */
const thresholdMs = 500;

const prefix = "apiserver.latency.k8s.io/";

/**
 * Yields the latency annotations of a slow request; none for a fast one, or one that waited for no layer, as in v1.29.
 */
export function* latencyAnnotations(
  totalMs: number,
  waited: ReadonlyMap<AwaitedLayer, number> = new Map(),
): Generator<readonly [key: string, value: string]> {
  if (totalMs > thresholdMs && waited.size > 0) {
    for (const [layer, ms] of waited) {
      yield [prefix + layer, durationText(ms)];
    }
    yield [`${prefix}total`, durationText(totalMs)];
  }
}

function durationText(ms: number): string {
  return formatMilliseconds(ms);
}
