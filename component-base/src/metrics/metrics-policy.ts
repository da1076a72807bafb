/** The maturity of a metric, as v1.29 shows it at the start of the help text. */
export type MetricStability = "ALPHA" | "BETA" | "STABLE";

/**
 * The rules by which a registry shows its metrics as Kubernetes components do. With a policy, help texts begin with the
 * stability, deprecated metrics of earlier releases are hidden, and the registry counts its own metrics.
 */
export interface MetricsPolicy {
  /** Minor number of the release that is served: 29. Metrics that were deprecated in an earlier one are hidden. */
  readonly minorRelease: number;
  /** True if metrics that were deprecated in an earlier release are shown all the same. */
  readonly showsHidden: boolean;
  /** Names of metrics that are not shown. */
  readonly disabled: ReadonlySet<string>;
  /** The values of labels that are shown, by metric and label; every other value is shown as `unexpected`. */
  readonly allowedLabelValues: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
}

/** The maturity of a metric, and the release since which it is deprecated. */
export interface MetricLifecycle {
  readonly stability: MetricStability;
  /** `1.28.0`; empty for a metric that is not deprecated. */
  readonly deprecatedVersion: string;
}

/** Reports whether a metric was deprecated in a release before the one that is served. */
export function isHidden({ minorRelease }: MetricsPolicy, { deprecatedVersion }: MetricLifecycle): boolean {
  return deprecatedVersion !== "" && Number(deprecatedVersion.split(".")[1]) < minorRelease;
}

/** Returns the help text of a metric with its lifecycle in front, as v1.29 has it. */
export function helpWithLifecycle(help: string, { stability, deprecatedVersion }: MetricLifecycle): string {
  const deprecation = deprecatedVersion === "" ? "" : `(Deprecated since ${deprecatedVersion}) `;
  return `[${stability}] ${deprecation}${help}`;
}
