import type { RequestListener } from "node:http";
import { type HealthCheck, pingCheck } from "@gatehouse/component-base/health";
import {
  anyAuthenticator,
  type CallerAuthenticator,
  clientCertificates,
  healthRoutes,
  metricsRoute,
  notFoundRoute,
  type RunningHttpsService,
  type ServiceTls,
  startHttpsService,
} from "@gatehouse/component-base/https-service";
import { type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { ConfigurationError, problemAt } from "@gatehouse/component-base/problems";
import type { HttpsServing } from "@gatehouse/component-base/tls";
import express from "express";
import type { ReviewEndpoint } from "./review-endpoint.js";
import { type ReviewLimits, reviewMiddleware } from "./review-middleware.js";

/** Options of `startWebhookServer()`. */
export interface WebhookServerOptions {
  readonly endpoints: readonly ReviewEndpoint[];
  /** PEM files, followed as they are replaced. `clientCaFile` holds the authorities of callers' certificates. */
  readonly tls: ServiceTls;
  /** Interval in milliseconds between two looks at the files. Default 10 seconds. */
  readonly tlsPollIntervalMs?: number;
  /** Common names of client certificates that may call. Default: all that `tls.clientCaFile` has signed. */
  readonly clientNames?: readonly string[];
  /** Authenticator of callers without a certificate of `tls.clientCaFile`. One of the two is required. */
  readonly callers?: CallerAuthenticator;
  readonly limits?: ReviewLimits;
  /** Address to listen on. Default `0.0.0.0`. */
  readonly host?: string;
  /** Port to listen on; 0 picks a free one. Default 8443. */
  readonly port?: number;
  /** Checks of `/readyz` beside those of the server itself, such as those of a lookup. */
  readonly readiness?: readonly HealthCheck[];
  /** Registry of the metrics, shown at `/metrics`. Default: one that shows those of the process, too. */
  readonly metrics?: MetricsRegistry;
  /** Logger of the events. Default: nothing is logged. */
  readonly logger?: Logger;
}

/** A running webhook server; `stop()` ends it. */
export type RunningWebhookServer = RunningHttpsService;

/**
 * Starts a server of endpoints: HTTPS with reload of certificates, authentication of callers, limits, `/livez`,
 * `/readyz`, `/metrics`. Rejects with ConfigurationError when certificates cannot be used, or when neither `callers`
 * nor `tls.clientCaFile` is given. `admissionEndpoints` has an example.
 */
export async function startWebhookServer(options: WebhookServerOptions): Promise<RunningWebhookServer> {
  const { tls, logger = silentLogger, tlsPollIntervalMs } = options;
  if (options.callers === undefined && tls.clientCaFile === undefined) {
    throw new ConfigurationError("webhook server", [
      problemAt("callers", "nothing says who may call: give a client CA file, bearer tokens, or ask for any caller"),
    ]);
  }
  return await startHttpsService({
    subject: "webhook server",
    tls,
    ...(tlsPollIntervalMs === undefined ? {} : { tlsPollIntervalMs }),
    host: options.host ?? "0.0.0.0",
    port: options.port ?? 8443,
    logger,
    listener: ({ serving, notStopping }) => createApp(options, callersOf(options, serving), notStopping),
  });
}

function callersOf({ tls, clientNames, callers }: WebhookServerOptions, serving: HttpsServing): CallerAuthenticator {
  const { identifyCaller: identify } = serving;
  const certificates =
    tls.clientCaFile === undefined
      ? []
      : [clientCertificates({ identify, ...(clientNames === undefined ? {} : { allowedNames: clientNames }) })];
  return anyAuthenticator([...certificates, ...(callers === undefined ? [] : [callers])]);
}

function createApp(
  options: WebhookServerOptions,
  callers: CallerAuthenticator,
  notStopping: HealthCheck,
): RequestListener {
  const { logger = silentLogger, limits = {} } = options;
  const registry = options.metrics ?? createMetricsRegistry({ processMetrics: true });
  const reviews = reviewMiddleware({ endpoints: options.endpoints, callers, limits, logger, metrics: registry });
  const app = express();
  app.disable("x-powered-by");
  const readyz = [pingCheck, notStopping, ...(options.readiness ?? [])];
  app.use(healthRoutes({ livez: [pingCheck], readyz, healthz: [pingCheck] }, logger));
  app.use(metricsRoute(registry, { admitted: callers }));
  app.use(notFoundRoute);
  return (request, response) => {
    // Reviews do not go through Express: what it adds to a request costs as much as to decide.
    reviews(request, response, () => app(request, response));
  };
}
