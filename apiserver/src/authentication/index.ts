export { type AuthenticationMetrics, authenticationMetrics } from "./authentication-metrics.js";
export { type AuthenticationDecision, type Authenticator, noOpinion, reasonsText, rejected } from "./authenticator.js";
export { clientCertificateAuthenticator } from "./client-certificate.js";
export { jwtIssuers } from "./oidc/jwt-issuers.js";
export { keyShelf } from "./oidc/key-shelf.js";
export { type OidcTokens, openOidcTokens } from "./oidc/oidc-tokens.js";
export {
  isForOneOf,
  type RequestAuthenticator,
  type RequestDecision,
  requestAuthenticator,
} from "./request-authenticator.js";
export { requestHeaderAuthenticator } from "./request-header.js";
export { type ServiceAccountMetrics, serviceAccountMetrics } from "./service-account-metrics.js";
export { serviceAccountUser, serviceAccountUsername, splitServiceAccountUsername } from "./service-account-user.js";
export { forApiAudiences, intersection } from "./tokens/api-audience.js";
export { bearerTokenAuthenticator } from "./tokens/bearer-token.js";
export { parseTokenFile, staticTokens } from "./tokens/static-tokens.js";
export type { TokenAuthenticator } from "./tokens/token-authenticator.js";
export { tokenCache } from "./tokens/token-cache.js";
export { tokenUnion } from "./tokens/token-union.js";
export { webhookTokens } from "./tokens/webhook-tokens.js";
export { websocketTokenAuthenticator } from "./tokens/websocket-token.js";
