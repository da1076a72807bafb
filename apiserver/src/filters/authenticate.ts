import { type StatusError, unauthorized } from "@gatehouse/envelopes/status";
import type { AuthenticationMetrics } from "../authentication/authentication-metrics.js";
import {
  isForOneOf,
  type RequestAuthenticator,
  type RequestDecision,
} from "../authentication/request-authenticator.js";
import { frontProxyHeaders, type RequestHeaderOptions } from "../authentication/request-header.js";
import { withoutTokenProtocol } from "../authentication/tokens/websocket-token.js";
import type { ServerLog } from "../logs/server-log.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { anonymousUser, type UserInfo, unauthenticatedGroup } from "../request/user-info.js";
import type { Filter } from "./filter.js";
import type { FilterMetrics } from "./filter-metrics.js";

const noAnnotations: Readonly<Record<string, string>> = Object.freeze({});

/** Options of the authentication filter. */
export interface AuthenticateOptions {
  readonly apiAudiences: readonly string[];
  /** The front proxies whose headers are removed behind this filter. */
  readonly requestHeader: RequestHeaderOptions | undefined;
  /** True if anonymous connections over HTTP/2 serve one request only (`UnauthenticatedHTTP2DOSMitigation`). */
  readonly closesStrangers: boolean;
}

/** Finds out who the client is; 401 when a credential is not good, or none is shown and strangers are not let in. */
export function authenticate(
  authenticator: RequestAuthenticator,
  options: AuthenticateOptions,
  log: Pick<ServerLog, "authenticationFailed">,
  metrics: Pick<AuthenticationMetrics, "attempt">,
  filterMetrics: Pick<FilterMetrics, "authentication">,
): Filter {
  const { apiAudiences, closesStrangers } = options;
  const isProxyHeader = frontProxyHeaders(options.requestHeader);
  const refused = (context: RequestContext, reasons: readonly string[]): StatusError => {
    if (reasons.length > 0) {
      log.authenticationFailed(context, reasons);
    }
    if (closesStrangers) {
      context.exchange.refuseMore();
    }
    return unauthorized();
  };
  const conclude = (
    context: RequestContext,
    decision: RequestDecision,
    askedAtMs: number,
    next: Handler,
  ): MaybePromise<void> => {
    const concludedAtMs = performance.now();
    const seconds = (concludedAtMs - askedAtMs) / 1000;
    filterMetrics.authentication.observe(seconds);
    context.filteredAtMs = concludedAtMs;
    for (const warning of decision.warnings ?? []) {
      context.warn(warning);
    }
    if (decision.outcome === "rejected") {
      metrics.attempt(decision.reasons.length === 0 ? "failure" : "error", seconds);
      throw refused(context, decision.reasons);
    }
    if (!isForOneOf(apiAudiences, decision.audiences)) {
      metrics.attempt("error", seconds);
      throw refused(context, ["the credential is not for this API"]);
    }
    metrics.attempt("success", seconds, decision.user.username);
    for (const [key, value] of Object.entries(decision.annotations ?? noAnnotations)) {
      context.annotate(key, value);
    }
    if (closesStrangers && isStranger(decision.user)) {
      context.exchange.refuseMore();
    }
    removeCredentials(context, isProxyHeader);
    context.user = decision.user;
    return next(context);
  };
  return (context, next) => {
    const askedAtMs = performance.now();
    const decision = authenticator.authenticate(context.exchange);
    return decision instanceof Promise
      ? decision.then((late) => conclude(context, late, askedAtMs, next))
      : conclude(context, decision, askedAtMs, next);
  };
}

function isStranger({ username, groups }: UserInfo): boolean {
  return username === anonymousUser.username || groups.includes(unauthenticatedGroup);
}

/** Removes the credential from the request: nothing behind this filter needs it. */
function removeCredentials(context: RequestContext, isProxyHeader: (name: string) => boolean): void {
  const { exchange } = context;
  const { headers } = exchange;
  for (const name of exchange.headerNames(isProxyHeader)) {
    delete headers[name];
  }
  if (headers.authorization !== undefined) {
    delete headers.authorization;
  }
  const protocols = headers["sec-websocket-protocol"];
  if (protocols !== undefined) {
    headers["sec-websocket-protocol"] = withoutTokenProtocol(protocols);
  }
}
