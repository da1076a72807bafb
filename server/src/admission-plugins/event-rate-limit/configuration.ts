import { type ConfigDocument, checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { eventratelimitV1alpha1 } from "@gatehouse/envelopes/types";

/** Types of limits, by the property that Events of one bucket share. */
export const limitTypes = ["Server", "Namespace", "User", "SourceAndObject"] as const;

/** One limit on Events. */
export interface EventLimit {
  readonly type: (typeof limitTypes)[number];
  /** The rate in the long run, in Events per second. */
  readonly qps: number;
  /** Number of Events allowed at once. */
  readonly burst: number;
  /** Number of buckets that are kept. */
  readonly cacheSize: number;
}

const kind = { group: "eventratelimit.admission.k8s.io", version: "v1alpha1", kind: "Configuration" };
const defaultCacheSize = 4096;

/**
 * Reads the limits from the configuration of the plugin. Throws ConfigurationError, also for a missing configuration.
 */
export async function readEventLimits(document: ConfigDocument | undefined): Promise<readonly EventLimit[]> {
  if (document === undefined) {
    throw new ConfigurationError("EventRateLimit", [
      problemAt("limits", "must not be empty: it needs a configuration"),
    ]);
  }
  const { limits } = await checkConfigDocument<eventratelimitV1alpha1.Configuration>(document, [kind]);
  const problems = problemsOf(limits ?? []);
  if (problems.length > 0) {
    throw new ConfigurationError(document.subject, problems);
  }
  return (limits ?? []).map(({ type, qps, burst, cacheSize }) => ({
    type: type as EventLimit["type"],
    qps,
    burst,
    cacheSize: cacheSize === undefined || cacheSize === 0 ? defaultCacheSize : cacheSize,
  }));
}

function problemsOf(limits: readonly eventratelimitV1alpha1.Limit[]): readonly Problem[] {
  const problems: Problem[] = [];
  if (limits.length === 0) {
    problems.push(problemAt("limits", "must not be empty"));
  }
  for (const [index, { type, qps, burst, cacheSize }] of limits.entries()) {
    const path = `limits[${index}]`;
    if (!limitTypes.some((known) => known === type)) {
      problems.push(problemAt(`${path}.type`, `must be one of ${limitTypes.join(", ")}`));
    }
    for (const [name, value] of Object.entries({ burst, qps })) {
      if (value <= 0) {
        problems.push(problemAt(`${path}.${name}`, "must be positive"));
      }
    }
    if (type !== "Server" && cacheSize !== undefined && cacheSize < 0) {
      problems.push(problemAt(`${path}.cacheSize`, "must not be negative"));
    }
  }
  return problems;
}
