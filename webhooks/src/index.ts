export { type BearerTokenOptions, openBearerTokens } from "./server/bearer-tokens.js";
export {
  anyAuthenticator,
  anyCaller,
  type CallerAuthenticator,
  type CallerVerdict,
} from "./server/caller-authentication.js";
export { type ClientCertificateOptions, clientCertificates } from "./server/client-certificates.js";
export type { ConcurrencyLimitOptions } from "./server/concurrency-limit.js";
export { defaultMaxBodyBytes } from "./server/read-body.js";
export type { ReviewAnswer, ReviewCall, ReviewEndpoint } from "./server/review-endpoint.js";
export {
  type Middleware,
  type ReviewLimits,
  type ReviewMiddlewareOptions,
  reviewMiddleware,
} from "./server/review-middleware.js";
export {
  type RunningWebhookServer,
  startWebhookServer,
  type WebhookServerOptions,
} from "./server/start-webhook-server.js";
export { version } from "./version.js";
