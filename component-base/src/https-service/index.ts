export { admitCaller, type CallerAdmission } from "./admit-caller.js";
export { type BearerTokenOptions, openBearerTokens } from "./bearer-tokens.js";
export { anyAuthenticator, anyCaller, type CallerAuthenticator, type CallerVerdict } from "./caller-authentication.js";
export { type ClientCertificateOptions, clientCertificates } from "./client-certificates.js";
export { healthRoutes } from "./health-routes.js";
export { metricsRoute } from "./metrics-route.js";
export type { Middleware } from "./middleware.js";
export { notFoundRoute } from "./not-found-route.js";
export { readBody } from "./read-body.js";
export { sendJson, sendStatus } from "./send-json.js";
export {
  type HttpsServiceOptions,
  type HttpsServiceParts,
  type RunningHttpsService,
  type ServiceTls,
  startHttpsService,
} from "./start-https-service.js";
