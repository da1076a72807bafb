import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { listenHost } from "../addresses/listen-host.js";
import { ConfigurationError } from "../errors.js";
import type { HealthCheck } from "../health/answer-health.js";
import type { Logger } from "../logs/logger.js";
import { problemAt } from "../problems/problem.js";
import { type HttpsServing, openHttpsServing } from "../tls/https-serving.js";
import { framingFault } from "./framing-fault.js";

/** PEM files, followed as they are replaced. `clientCaFile` holds the authorities of callers' certificates. */
export interface ServiceTls {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientCaFile?: string;
}

/** Files, address and limits of a service. */
export interface HttpsServiceOptions {
  /** Subject of a ConfigurationError: `webhook server`. */
  readonly subject: string;
  readonly tls: ServiceTls;
  /** Interval in milliseconds between looks at the TLS files. Default 10,000. */
  readonly tlsPollIntervalMs?: number;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Time limit in milliseconds for receiving a request. Default 30,000. */
  readonly requestTimeoutMs?: number;
  readonly logger: Logger;
  /** Makes what answers the requests. */
  readonly listener: (parts: HttpsServiceParts) => RequestListener;
}

/** The parts that a service gives to the function that makes its request handler. */
export interface HttpsServiceParts {
  readonly serving: HttpsServing;
  /** Fails from when the service is about to end: for `/readyz`. */
  readonly notStopping: HealthCheck;
}

/** A service that takes requests. */
export interface RunningHttpsService {
  readonly port: number;
  /**
   * Takes no more connections, answers what is under way and resolves when that is done. When `signal` aborts,
   * connections that are left are cut.
   */
  stop(signal?: AbortSignal): Promise<void>;
}

/** API servers keep connections for 90 s; a server that closes first makes them meet the closing one. */
const keepAliveTimeoutMs = 95_000;
/** Default time limit in milliseconds for receiving a request: nobody may hold a connection by sending slowly. */
const defaultRequestTimeoutMs = 30_000;
/** Interval in milliseconds in which a stopping server looks for connections that have become idle. */
const sweepIntervalMs = 20;

/**
 * Starts an HTTPS server with reload of certificates and an orderly end. Rejects with ConfigurationError when the
 * certificates cannot be used.
 */
export async function startHttpsService(options: HttpsServiceOptions): Promise<RunningHttpsService> {
  const { logger, requestTimeoutMs = defaultRequestTimeoutMs } = options;
  const serving = await openCertificates(options);
  let isStopping = false;
  const notStopping: HealthCheck = {
    name: "shutdown",
    check() {
      if (isStopping) {
        throw new Error("the process is shutting down");
      }
    },
  };
  const listener = options.listener({ serving, notStopping });
  const server = createServer({ ...serving.options, connectionsCheckingInterval: checkIntervalMs(requestTimeoutMs) });
  server.on("request", (request, response) => {
    if (isStopping) {
      response.setHeader("Connection", "close");
    }
    const fault = framingFault(request);
    if (fault === undefined) {
      listener(request, response);
    } else {
      response.writeHead(fault.status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
      response.end(fault.text);
    }
  });
  server.keepAliveTimeout = keepAliveTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = Math.min(server.headersTimeout, requestTimeoutMs);
  serving.attach(server);
  try {
    const { port, address } = await listen(server, options.port, options.host);
    logger.info("serving", { host: address, port });
    return {
      port,
      async stop(signal) {
        isStopping = true;
        serving[Symbol.dispose]();
        await close(server, signal);
      },
    };
  } catch (error) {
    serving[Symbol.dispose]();
    throw error;
  }
}

/** Node looks for requests that take too long so often only; half a minute is its own choice. */
function checkIntervalMs(requestTimeoutMs: number): number {
  return Math.min(30_000, Math.max(50, requestTimeoutMs / 2));
}

async function openCertificates(options: HttpsServiceOptions): Promise<HttpsServing> {
  const { tls, tlsPollIntervalMs, logger } = options;
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
    throw new ConfigurationError(options.subject, [
      problemAt("tls", error instanceof Error ? error.message : "the certificates cannot be read"),
    ]);
  }
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: listenHost(host) }, () => {
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
