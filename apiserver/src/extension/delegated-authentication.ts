import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { AuthenticationMetrics } from "../authentication/authentication-metrics.js";
import type { Authenticator } from "../authentication/authenticator.js";
import { clientCertificateAuthenticator } from "../authentication/client-certificate.js";
import { type RequestHeaderOptions, requestHeaderAuthenticator } from "../authentication/request-header.js";
import { bearerTokenAuthenticator } from "../authentication/tokens/bearer-token.js";
import { tokenCache } from "../authentication/tokens/token-cache.js";
import { webhookTokens } from "../authentication/tokens/webhook-tokens.js";
import { websocketTokenAuthenticator } from "../authentication/tokens/websocket-token.js";
import type { MeasureReview } from "../review-webhooks/review-client.js";
import { reviewsAt } from "./reviews-at.js";

/** The authorities and headers as they are now; each is asked for with every request. */
export interface AuthenticationSources {
  /** Returns the authorities of clients, as PEM; empty for none. */
  readonly clientAuthorities: () => string;
  /** Returns the authorities of front proxies, as PEM; empty for none. */
  readonly proxyAuthorities: () => string;
  /** Returns the headers and names of front proxies: the same object until one of them changes. */
  readonly requestHeader: () => RequestHeaderOptions;
}

/** The parts that delegated authentication rests on. */
export interface DelegatedAuthenticationOptions {
  readonly sources: AuthenticationSources;
  /** The API server in front, which reviews tokens; undefined where no token is known. */
  readonly tokenReviews: ClientConfig | undefined;
  /** The time in milliseconds for which reviews are kept, those of unknown tokens, too. */
  readonly cacheTtlMs: number;
  readonly metrics: AuthenticationMetrics;
  /** Measures the reviews of tokens. */
  readonly measure: MeasureReview;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** The time limit of a TokenReview in milliseconds, as in v1.29. */
const reviewTimeoutMs = 10_000;

/**
 * Returns the authenticators of an extension API server, in the order of v1.29: by the headers of a front proxy, by client
 * certificate, by a token that the API server in front reviews.
 */
export function delegatedAuthenticators(options: DelegatedAuthenticationOptions): readonly Authenticator[] {
  const { sources, tokenReviews, cacheTtlMs, metrics, measure, now, signal } = options;
  const certificates = [
    frontProxyAuthenticator(sources, now),
    clientCertificateAuthenticator({
      authorities: sources.clientAuthorities,
      now,
      otherAuthorities: true,
      shown: metrics.certificateShown,
    }),
  ];
  if (tokenReviews === undefined) {
    return certificates;
  }
  const tokens = tokenCache({
    delegate: webhookTokens({
      client: reviewsAt(tokenReviews, "authentication.k8s.io", "tokenreviews"),
      version: "v1",
      apiAudiences: [],
      timeoutMs: reviewTimeoutMs,
      measure,
      signal,
    }),
    successTtlMs: cacheTtlMs,
    failureTtlMs: cacheTtlMs,
    keepsRefusals: false,
    metrics: metrics.tokenCache,
  });
  return [...certificates, bearerTokenAuthenticator(tokens), websocketTokenAuthenticator(tokens)];
}

/** Returns an authenticator by the headers of a front proxy that takes each new configuration into account at once. */
function frontProxyAuthenticator(sources: AuthenticationSources, now: () => number): Authenticator {
  let known: RequestHeaderOptions | undefined;
  let authenticator: Authenticator | undefined;
  return {
    authenticate(request, audiences) {
      const requestHeader = sources.requestHeader();
      // What is concluded of a connection depends on the allowed names, too: a new authenticator concludes anew.
      if (authenticator === undefined || known !== requestHeader) {
        known = requestHeader;
        authenticator = requestHeaderAuthenticator(requestHeader, sources.proxyAuthorities, now);
      }
      return authenticator.authenticate(request, audiences);
    },
  };
}
