import type { MetricsRegistry } from "./metric.js";
import type { MetricLifecycle } from "./metrics-policy.js";

/** Counts the metrics of a registry, and the label values that its policy does not allow. */
export interface MetaMetrics {
  registered(lifecycle: MetricLifecycle): void;
  disabled(): void;
  hidden(): void;
  /** Counts a label value that is shown as `unexpected`: once each time a series is looked up for it. */
  unexpectedValue(): void;
}

/** Registers the metrics about metrics, under v1.29's names. */
export function metaMetrics(registry: MetricsRegistry): MetaMetrics {
  const registered = registry.counter({
    name: "registered_metrics_total",
    help: "Metrics of this process, by stability and the release since which they are deprecated.",
    labelNames: ["stability_level", "deprecated_version"],
    stability: "BETA",
  });
  const disabled = registry.counter({
    name: "disabled_metrics_total",
    help: "Metrics that are not shown because of --disabled-metrics.",
    stability: "BETA",
  });
  const hidden = registry.counter({
    name: "hidden_metrics_total",
    help: "Metrics that are not shown because an earlier release has deprecated them.",
    stability: "BETA",
  });
  const unexpected = registry.counter({
    name: "cardinality_enforcement_unexpected_categorizations_total",
    help: "Look-ups of series with a label value that --allow-metric-labels does not allow.",
  });
  const count = ({ stability, deprecatedVersion }: MetricLifecycle): void =>
    registered.labels({ stability_level: stability, deprecated_version: deprecatedVersion }).inc();
  for (let own = 0; own < 3; own++) {
    count({ stability: "BETA", deprecatedVersion: "" });
  }
  count({ stability: "ALPHA", deprecatedVersion: "" });
  return {
    registered: count,
    disabled: () => disabled.labels({}).inc(),
    hidden: () => hidden.labels({}).inc(),
    unexpectedValue: () => unexpected.labels({}).inc(),
  };
}
