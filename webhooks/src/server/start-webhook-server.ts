import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import {
  ConfigurationError,
  createMetricsRegistry,
  type HealthCheck,
  type HttpsServing,
  type Logger,
  openHttpsServing,
  pingCheck,
  problemAt,
  silentLogger,
} from "@gatehouse/component-base";
import express from "express";
import { anyAuthenticator, type CallerAuthenticator } from "./caller-authentication.js";
import { clientCertificates } from "./client-certificates.js";
import { healthRoutes } from "./health-routes.js";
import { metricsRoute } from "./metrics-route.js";
import { notFoundRoute } from "./not-found-route.js";
import type { ReviewEndpoint } from "./review-endpoint.js";
import { type ReviewLimits, reviewMiddleware } from "./review-middleware.js";
import { WebhookLog } from "./webhook-log.js";

/** What a webhook server serves, where, and to whom. */
export interface WebhookServerOptions {
  readonly endpoints: readonly ReviewEndpoint[];
  /** PEM files, followed as they are replaced. `clientCaFile` holds the authorities of callers' certificates. */
  readonly tls: { readonly certFile: string; readonly keyFile: string; readonly clientCaFile?: string };
  /** How often the files are looked at, in milliseconds. Default 10 seconds. */
  readonly tlsPollIntervalMs?: number;
  /** Common names of client certificates that may call. Default: any that `tls.clientCaFile` has signed. */
  readonly clientNames?: readonly string[];
  /** Who may call beside those with a certificate of `tls.clientCaFile`. One of the two must be there. */
  readonly callers?: CallerAuthenticator;
  readonly limits?: ReviewLimits;
  /** Default `0.0.0.0`. */
  readonly host?: string;
  /** 0 picks a free one. Default 8443. */
  readonly port?: number;
  /** What must hold, beside being up and not about to end, before reviews should come. */
  readonly readiness?: readonly HealthCheck[];
  /** Default: nothing is logged. */
  readonly logger?: Logger;
}

/** A webhook server that takes reviews. */
export interface RunningWebhookServer {
  readonly port: number;
  /**
   * Says at `/readyz` that it is going, takes no more connections, answers what is under way and resolves when that is
   * done. When `signal` aborts, connections that are left are cut.
   */
  stop(signal?: AbortSignal): Promise<void>;
}

/** API servers keep connections for 90 s; a server that closes first makes them meet the closing one. */
const keepAliveTimeoutMs = 95_000;
/** A review arrives at once. Nobody may hold a connection by sending slowly. */
const requestTimeoutMs = 30_000;
/** How often a server that stops looks for connections that have become idle. */
const sweepIntervalMs = 20;

/**
 * Starts the ready server: HTTPS with reload of certificates, callers authenticated, `/livez`, `/readyz`, `/metrics`.
 * Rejects with ConfigurationError when certificates cannot be used or nothing says who may call.
 */
export async function startWebhookServer(options: WebhookServerOptions): Promise<RunningWebhookServer> {
  const { tls, logger = silentLogger } = options;
  if (options.callers === undefined && tls.clientCaFile === undefined) {
    throw new ConfigurationError("webhook server", [
      problemAt("callers", "nothing says who may call: give a client CA file, bearer tokens, or ask for any caller"),
    ]);
  }
  const certificates = await openCertificates(options, logger);
  let stopping = false;
  const app = createApp(options, callersOf(options, certificates), () => stopping);
  const server = createServer(certificates.options, app);
  server.keepAliveTimeout = keepAliveTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  certificates.attach(server);
  try {
    const { port, address } = await listen(server, options.port ?? 8443, options.host ?? "0.0.0.0");
    new WebhookLog(logger).listening(address, port);
    return {
      port,
      async stop(signal) {
        stopping = true;
        certificates[Symbol.dispose]();
        await close(server, signal);
      },
    };
  } catch (error) {
    certificates[Symbol.dispose]();
    throw error;
  }
}

async function openCertificates(options: WebhookServerOptions, logger: Logger): Promise<HttpsServing> {
  const { tls, tlsPollIntervalMs } = options;
  try {
    return await openHttpsServing({
      certFile: tls.certFile,
      keyFile: tls.keyFile,
      // Calls without a certificate still reach /livez; whether it is needed is decided call by call.
      ...(tls.clientCaFile === undefined ? {} : { callerCaFile: tls.clientCaFile, askForCertificate: "optional" }),
      ...(tlsPollIntervalMs === undefined ? {} : { pollIntervalMs: tlsPollIntervalMs }),
      logger,
    });
  } catch (error) {
    throw new ConfigurationError("webhook server", [
      problemAt("tls", error instanceof Error ? error.message : "the certificates cannot be read"),
    ]);
  }
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
  isStopping: () => boolean,
): RequestListener {
  const { logger = silentLogger, limits = {} } = options;
  const registry = createMetricsRegistry({ processMetrics: true });
  const notStopping: HealthCheck = {
    name: "shutdown",
    check() {
      if (isStopping()) {
        throw new Error("the process is shutting down");
      }
    },
  };
  const reviews = reviewMiddleware({ endpoints: options.endpoints, callers, limits, logger, metrics: registry });
  const app = express();
  app.disable("x-powered-by");
  const readyz = [pingCheck, notStopping, ...(options.readiness ?? [])];
  app.use(healthRoutes({ livez: [pingCheck], readyz, healthz: [pingCheck] }, new WebhookLog(logger)));
  app.use(metricsRoute(registry, callers));
  app.use(notFoundRoute);
  return (request, response) => {
    if (isStopping()) {
      response.setHeader("Connection", "close");
    }
    // Reviews do not go through Express: what it adds to a request costs as much as to decide.
    reviews(request, response, () => app(request, response));
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

function close(server: Server, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const cut = (): void => server.closeAllConnections();
    signal?.addEventListener("abort", cut, { once: true });
    // Whoever was being answered when the end came has a connection that is idle afterwards.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepIntervalMs);
    server.close(() => {
      clearInterval(sweep);
      signal?.removeEventListener("abort", cut);
      resolve();
    });
    server.closeIdleConnections();
    if (signal?.aborted === true) {
      cut();
    }
  });
}
