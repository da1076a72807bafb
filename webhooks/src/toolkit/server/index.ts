// The entry point `@gatehouse/webhooks/server`: hooks and converters served by the ready server, or mounted in an app.
export type { ConcurrencyLimitOptions } from "@gatehouse/component-base/concurrency";
export { ConfigurationError } from "@gatehouse/component-base/errors";

export type { HealthCheck } from "@gatehouse/component-base/health";
export {
  anyAuthenticator,
  anyCaller,
  type BearerTokenOptions,
  type CallerAuthenticator,
  type CallerVerdict,
  type ClientCertificateOptions,
  clientCertificates,
  type Middleware,
  openBearerTokens,
  type ServiceTls,
} from "@gatehouse/component-base/https-service";
export { createLogger, type Logger, type LoggerOptions } from "@gatehouse/component-base/logs";
export {
  createMetricsRegistry,
  type MetricsRegistry,
  type MetricsRegistryOptions,
} from "@gatehouse/component-base/metrics";
export { conversionEndpoints } from "../conversion/conversion-endpoints.js";
export { type AdmissionOptions, admission } from "../hooks/admission.js";
export { admissionEndpoints } from "../hooks/admission-endpoints.js";
export { type OpenLookup, type OpenLookupOptions, openLookup } from "../lookup/open-lookup.js";
export type { ReviewAnswer, ReviewCall, ReviewEndpoint } from "./review-endpoint.js";
export {
  defaultMaxBodyBytes,
  type ReviewLimits,
  type ReviewMiddlewareOptions,
  reviewMiddleware,
} from "./review-middleware.js";
export {
  type RunningWebhookServer,
  startWebhookServer,
  type WebhookServerOptions,
} from "./start-webhook-server.js";
