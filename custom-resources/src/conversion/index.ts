export { type ConversionMetrics, conversionMetrics } from "./conversion-metrics.js";
export { WebhookClients } from "./webhook-clients.js";
