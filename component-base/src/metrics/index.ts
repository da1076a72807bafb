export type { MetricStability, MetricsPolicy } from "./metrics-policy.js";
export {
  type Counter,
  createMetricsRegistry,
  type Gauge,
  type Histogram,
  type Labelled,
  type MetricOptions,
  type MetricsRegistry,
  type MetricsRegistryOptions,
  metricsContentType,
  type Summary,
} from "./metrics-registry.js";
