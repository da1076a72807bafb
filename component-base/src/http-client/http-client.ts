import { ConcurrencyLimit } from "../concurrency/concurrency-limit.js";
import {
  type CallCredentials,
  type ClientCredentialsOptions,
  openClientCredentials,
} from "../credentials/client-credentials.js";
import { HttpClientError } from "../errors.js";
import type { ClientConfig } from "../kubeconfig/client-config.js";
import { unlessAborted } from "../time/unless-aborted.js";
import { tell } from "./client-events.js";
import type { Connections } from "./connections.js";
import { type Deadline, startDeadline } from "./deadline.js";
import type { HttpRequest, HttpResponse, JsonRequest, JsonResponse } from "./http-request.js";
import { type ConnectionTarget, openConnection } from "./open-connection.js";
import { proxyAuthorization } from "./proxy.js";
import { assertUsable, secureContextOf } from "./secure-context.js";

/** Calls one server. Follows no redirects. Rejects with HttpClientError. */
export interface HttpCaller {
  request(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Sends and receives JSON, else like `request`. A body that is not JSON is a `protocol` failure, whatever its status.
   */
  requestJson(request: JsonRequest): Promise<JsonResponse>;
}

/**
 * A caller with kept HTTP/1.1 connections of its own, which follow the credentials as they rotate. Disposed of, it takes
 * no new calls; those under way still get their answers.
 */
export interface HttpClient extends HttpCaller, Disposable {}

/** The server and the credentials of a client (both in `config`), and its limits. */
export interface HttpClientOptions extends ConnectionTarget {
  /** Connections at a time. Default 100; further requests wait, and their time counts. */
  readonly maxConnections?: number;
  /** Requests that may wait for a connection. Default 10,000; beyond that they fail at once. */
  readonly maxWaiting?: number;
  /** Sent as User-Agent. */
  readonly userAgent?: string;
  /** Options for following credential files and running plugins. */
  readonly credentials?: ClientCredentialsOptions;
}

/** Loaded with the first call: programs that make none start without it. */
let transport: typeof import("./connections.js") | undefined;

/** Makes a client for one server. Throws when a certificate or key in the config cannot be used. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { config, maxConnections = 100, maxWaiting = 10_000 } = options;
  const credentials = openClientCredentials(config, options.credentials);
  // With one connection for a call, a bound of calls is one of connections.
  const limit = new ConcurrencyLimit({ maxConcurrent: maxConnections, maxWaiting });
  const fixedHeaders = headersOf(options);
  assertUsable(config);
  let connections: Connections | undefined;
  let connectionsKey: string | undefined;
  let disposed = false;
  const verifies = !config.insecureSkipTlsVerify;

  /** The connections that were opened with these credentials. */
  function connectionsFor({ tls, tlsKey }: CallCredentials, kind: typeof Connections): Connections {
    if (connections === undefined || connectionsKey !== tlsKey) {
      connections?.retire();
      const context = config.server.protocol === "https:" ? secureContextOf(tls, { verifies }) : undefined;
      connections = new kind(() => openConnection(options, context, tls));
      connectionsKey = tlsKey;
    }
    return connections;
  }

  async function call(asked: HttpRequest, deadline: Deadline): Promise<HttpResponse> {
    const target = requestTarget(config, asked.path);
    const pending = credentials.forCall();
    const proven = pending instanceof Promise ? await unlessAborted(credentialsOf(pending), deadline.signal) : pending;
    const headers = { ...fixedHeaders, ...proven.headers, ...asked.headers };
    const unzip = !config.disableCompression && asked.headers?.["accept-encoding"] === undefined;
    transport ??= await import("./connections.js");
    const used = connectionsFor(proven, transport.Connections);
    try {
      const response = await used.send({ ...asked, headers, target, unzip, deadline });
      if (response.status === 401) {
        credentials.refused(proven);
      }
      return response;
    } finally {
      if (disposed) {
        used.retire();
      }
    }
  }

  async function request(asked: HttpRequest): Promise<HttpResponse> {
    const startedAt = performance.now();
    let response: HttpResponse | undefined;
    let failure: unknown;
    try {
      response = await limitedRequest(asked);
      return response;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      tell("call", () => ({
        method: asked.method ?? "GET",
        host: config.server.host,
        status: response?.status,
        error: failure,
        seconds: (performance.now() - startedAt) / 1000,
        requestBytes: Buffer.byteLength(asked.body ?? ""),
        responseBytes: response?.body.length ?? 0,
      }));
    }
  }

  async function limitedRequest(asked: HttpRequest): Promise<HttpResponse> {
    // The clock starts here: the time covers the wait for a connection and the reading of the body.
    using deadline = startDeadline(asked.signal, asked.timeoutMs);
    try {
      if (disposed) {
        throw new HttpClientError("aborted", "the client is closed");
      }
      if (deadline.ended) {
        deadline.signal.throwIfAborted();
      }
      if (!limit.tryEnter() && !(await limit.enter(deadline.signal))) {
        deadline.signal.throwIfAborted();
        throw new HttpClientError("connection", "too many calls wait for a connection");
      }
      try {
        return await call(asked, deadline);
      } finally {
        limit.leave();
      }
    } catch (error) {
      throw toClientError(error, asked, deadline);
    }
  }

  return {
    request,
    async requestJson(asked) {
      const { body, ...rest } = asked;
      const headers = {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...asked.headers,
      };
      const response = await request({
        ...rest,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { ...response, body: parseJson(response) };
    },
    [Symbol.dispose]() {
      disposed = true;
      connections?.retire();
    },
  };
}

function headersOf({ config, userAgent }: HttpClientOptions): Readonly<Record<string, string>> {
  const { server, proxyUrl } = config;
  return {
    host: server.host,
    ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
    ...(config.disableCompression ? {} : { "accept-encoding": "gzip" }),
    ...(proxyUrl === undefined || server.protocol === "https:" ? {} : proxyAuthorization(proxyUrl)),
  };
}

function requestTarget({ server, proxyUrl }: ClientConfig, path: string | undefined): string {
  if (path !== undefined && !path.startsWith("/")) {
    throw new TypeError(`a request path must start with a slash: ${JSON.stringify(path)}`);
  }
  const target =
    path === undefined ? `${server.pathname}${server.search}` : `${server.pathname.replace(/\/+$/, "")}${path}`;
  // To a proxy that is not asked for a tunnel the whole URL is told.
  return proxyUrl !== undefined && server.protocol === "http:" ? `${server.origin}${target}` : target;
}

async function credentialsOf(pending: Promise<CallCredentials>): Promise<CallCredentials> {
  try {
    return await pending;
  } catch (error) {
    throw new HttpClientError("credentials", error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function parseJson(response: HttpResponse): unknown {
  if (response.body.length === 0) {
    return undefined;
  }
  try {
    return JSON.parse(response.body.toString("utf8"));
  } catch (error) {
    throw new HttpClientError("protocol", `the response (HTTP ${response.status}) is not JSON`, { cause: error });
  }
}

function toClientError(error: unknown, asked: HttpRequest, deadline: Deadline): unknown {
  if (error instanceof TypeError) {
    return error;
  }
  if (error instanceof HttpClientError && error.failure !== "connection") {
    return error;
  }
  if (deadline.passed) {
    return new HttpClientError("timeout", `no response within ${asked.timeoutMs} ms`, { cause: error });
  }
  if (asked.signal.aborted) {
    return new HttpClientError("aborted", "the request was aborted", { cause: error });
  }
  if (error instanceof HttpClientError) {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  return new HttpClientError("connection", message, { cause: error });
}
