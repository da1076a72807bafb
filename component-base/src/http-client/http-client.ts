import { readFile } from "node:fs/promises";
import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { createSecureContext } from "node:tls";
import type { ClientAuthorization, ClientConfig } from "../kubeconfig/client-config.js";
import { HttpClientError } from "./http-client-error.js";

/**
 * One request. Its headers go before those of the client (`user-agent`, `authorization`) when their names are in lower
 * case.
 */
export interface HttpRequest {
  /** Default GET. */
  readonly method?: string;
  /** Path and query, added to the path of the client's server; or none, to call that address itself. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the request early. */
  readonly signal: AbortSignal;
  /** From the call to the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Bytes of body beyond which the answer is refused. Default 4 MiB. */
  readonly maxResponseBytes?: number;
}

/** The whole answer, whatever its status: a 404 or 500 does not reject. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined as Node joins them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** As HttpRequest, with a body of any value that JSON can carry. */
export interface JsonRequest extends Omit<HttpRequest, "body"> {
  /** Sent as JSON when given. */
  readonly body?: unknown;
}

/** As HttpResponse, with the body parsed. */
export interface JsonResponse extends Omit<HttpResponse, "body"> {
  /** The parsed body; `undefined` when it is empty. To be checked by whoever uses it. */
  readonly body: unknown;
}

/** Calls one server over kept connections. Follows no redirects and uses no proxy. Rejects with HttpClientError. */
export interface HttpClient extends Disposable {
  request(request: HttpRequest): Promise<HttpResponse>;
  /** The same with JSON in and out. A body that is not JSON is a `protocol` failure, whatever its status. */
  requestJson(request: JsonRequest): Promise<JsonResponse>;
}

/** Which server a client calls, how it proves who it is (both in `config`), and its limits. */
export interface HttpClientOptions {
  readonly config: ClientConfig;
  /** Connections at a time. Default 100; further requests wait, and their time counts. */
  readonly maxConnections?: number;
  /** Sent as User-Agent. */
  readonly userAgent?: string;
}

const defaultMaxResponseBytes = 4 * 1024 * 1024;

/** How long a token read from a file is used before the file is read again; client-go does the same. */
const tokenFileLifetimeMs = 60_000;

/** Makes a client for one server. Throws when a certificate or key in the config cannot be used. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { config } = options;
  const agent = createAgent(options);
  const authorize = createAuthorizer(config.authorization);

  async function request(asked: HttpRequest): Promise<HttpResponse> {
    // The clock starts here: the time covers the wait for a connection and the reading of the body.
    using deadline = startDeadline(asked.signal, asked.timeoutMs);
    try {
      const headers = { ...(await defaultHeaders(options.userAgent, authorize)), ...asked.headers };
      deadline.signal.throwIfAborted();
      return await sendWithRetry(agent, config.server, { ...asked, headers, signal: deadline.signal });
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
      agent.destroy();
    },
  };
}

function createAgent(options: HttpClientOptions): Agent {
  const { config, maxConnections = 100 } = options;
  const pool = { keepAlive: true, maxSockets: maxConnections, maxFreeSockets: Math.min(maxConnections, 16) };
  if (config.server.protocol === "http:") {
    return new HttpAgent(pool);
  }
  const servername = config.tlsServerName;
  return new HttpsAgent({
    ...pool,
    // One context for all connections: to parse the authorities again for each one would cost more than the handshake.
    secureContext: createSecureContext({
      ...(config.certificateAuthorityPem === undefined ? {} : { ca: config.certificateAuthorityPem }),
      ...(config.clientCertificate === undefined
        ? {}
        : { cert: config.clientCertificate.certificatePem, key: config.clientCertificate.keyPem }),
    }),
    rejectUnauthorized: !config.insecureSkipTlsVerify,
    ...(servername === undefined ? {} : { servername }),
  });
}

interface SentRequest extends HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
}

const replayableMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A server may close a kept connection in the moment in which we use it. Then a request that changes nothing is sent
 * once more; one that may change something is not, because it may have arrived.
 */
async function sendWithRetry(agent: Agent, server: URL, asked: SentRequest): Promise<HttpResponse> {
  const first = send(agent, server, asked);
  try {
    return await first.response;
  } catch (error) {
    const lostConnection = error instanceof Error && "code" in error && /^(ECONNRESET|EPIPE)$/.test(String(error.code));
    if (!lostConnection || !first.request.reusedSocket || !replayableMethods.has(asked.method ?? "GET")) {
      throw error;
    }
    return await send(agent, server, asked).response;
  }
}

function send(
  agent: Agent,
  server: URL,
  asked: SentRequest,
): { readonly request: ClientRequest; readonly response: Promise<HttpResponse> } {
  const start = server.protocol === "https:" ? httpsRequest : httpRequest;
  const request = start({
    agent,
    protocol: server.protocol,
    hostname: server.hostname.replace(/^\[|\]$/g, ""),
    port: server.port,
    path: joinPath(server, asked.path),
    method: asked.method ?? "GET",
    headers: asked.body === undefined ? asked.headers : { ...asked.headers, "content-length": byteLength(asked.body) },
    signal: asked.signal,
  });
  const response = new Promise<HttpResponse>((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (incoming) => {
      readBody(incoming, asked.maxResponseBytes ?? defaultMaxResponseBytes).then(
        (body) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }),
        (error: unknown) => {
          request.destroy();
          reject(error);
        },
      );
    });
  });
  request.end(asked.body);
  return { request, response };
}

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = Number(incoming.headers["content-length"] ?? 0);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const tooLarge = () => new HttpClientError("too-large", `the response body is larger than ${maxBytes} bytes`);
  if (declared > maxBytes && incoming.statusCode !== 304) {
    throw tooLarge();
  }
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw tooLarge();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

function joinPath(server: URL, path: string | undefined): string {
  if (path === undefined) {
    return `${server.pathname}${server.search}`;
  }
  if (!path.startsWith("/")) {
    throw new TypeError(`a request path must start with a slash: ${JSON.stringify(path)}`);
  }
  return `${server.pathname.replace(/\/+$/, "")}${path}`;
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

function createAuthorizer(authorization: ClientAuthorization | undefined): () => Promise<string | undefined> {
  switch (authorization?.kind) {
    case undefined:
      return async () => undefined;
    case "token":
      return async () => `Bearer ${authorization.token}`;
    case "basic": {
      const pair = Buffer.from(`${authorization.username}:${authorization.password}`).toString("base64");
      return async () => `Basic ${pair}`;
    }
    case "tokenFile": {
      let cached: { readonly header: string; readonly readAt: number } | undefined;
      return async () => {
        if (cached === undefined || performance.now() - cached.readAt > tokenFileLifetimeMs) {
          const token = (await readFile(authorization.path, "utf8")).trim();
          cached = { header: `Bearer ${token}`, readAt: performance.now() };
        }
        return cached.header;
      };
    }
  }
}

async function defaultHeaders(
  userAgent: string | undefined,
  authorize: () => Promise<string | undefined>,
): Promise<Record<string, string>> {
  const authorization = await authorize().catch((error: unknown) => {
    throw new HttpClientError("connection", "the token file cannot be read", { cause: error });
  });
  return {
    ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
    ...(authorization === undefined ? {} : { authorization }),
  };
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

interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  readonly passed: boolean;
}

/** Joins the caller's signal and a time limit. Not `AbortSignal.any` and `.timeout`: those hold on to their timer. */
function startDeadline(callerSignal: AbortSignal, timeoutMs: number): Deadline {
  const controller = new AbortController();
  let passed = false;
  const onAbort = (): void => controller.abort(callerSignal.reason);
  const timer = setTimeout(() => {
    passed = true;
    controller.abort();
  }, timeoutMs);
  callerSignal.addEventListener("abort", onAbort, { once: true });
  if (callerSignal.aborted) {
    onAbort();
  }
  return {
    signal: controller.signal,
    get passed() {
      return passed;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      callerSignal.removeEventListener("abort", onAbort);
    },
  };
}

function toClientError(error: unknown, asked: HttpRequest, deadline: Deadline): unknown {
  if (error instanceof HttpClientError || error instanceof TypeError) {
    return error;
  }
  if (deadline.passed) {
    return new HttpClientError("timeout", `no response within ${asked.timeoutMs} ms`, { cause: error });
  }
  if (asked.signal.aborted) {
    return new HttpClientError("aborted", "the request was aborted", { cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new HttpClientError("connection", message, { cause: error });
}
