export { answerScrape, type MetricsAnswer, type MetricsPreferences } from "./answer-scrape.js";
export type {
  Counter,
  Gauge,
  Histogram,
  Labelled,
  MetricOptions,
  MetricsRegistry,
  Summary,
} from "./metric.js";
export type { MetricStability, MetricsPolicy } from "./metrics-policy.js";
export { createMetricsRegistry, type MetricsRegistryOptions } from "./metrics-registry.js";
export { onFirstUse } from "./on-first-use.js";
