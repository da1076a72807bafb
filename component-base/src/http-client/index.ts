export { type ClientEvents, followClients, tell } from "./client-events.js";
export { type DialAddress, DialError, dial } from "./dial.js";
export { goCallError, goErrorText } from "./go-error-text.js";
export { createHttpClient, type HttpCaller, type HttpClient, type HttpClientOptions } from "./http-client.js";
export { createHttpClientPool, type HttpClientPool, type HttpClientPoolOptions } from "./http-client-pool.js";
export type { HttpRequest, HttpResponse, JsonRequest, JsonResponse } from "./http-request.js";
export { hostOf, openTunnel, ProxyError, portOf } from "./proxy.js";
export { HandshakeError, type SecureConnectionOptions, secureConnection } from "./secure-connection.js";
export { secureContextOf } from "./secure-context.js";
