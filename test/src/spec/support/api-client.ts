import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { ApiDocument } from "./api-document.js";
import { type OpenWatch, readWatch } from "./open-watch.js";

/** Answer of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as text. */
  readonly text: string;
  /** The body as JSON. Throws where it is none. */
  readonly document: ApiDocument;
}

export interface RequestOptions {
  readonly headers?: OutgoingHttpHeaders;
  /** A string or bytes go out as they are; anything else as JSON, with its media type. */
  readonly body?: unknown;
}

/** Speaks to one server over HTTPS, in HTTP/1.1 on kept-alive connections. */
export interface ApiClient extends Disposable {
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, headers?: OutgoingHttpHeaders): Promise<Answer>;
  post(path: string, body: unknown, headers?: OutgoingHttpHeaders): Promise<Answer>;
  put(path: string, body: unknown, headers?: OutgoingHttpHeaders): Promise<Answer>;
  patch(path: string, mediaType: string, body: unknown): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
  /** Opens a watch; the path already says `watch=1`. */
  watch(path: string, headers?: OutgoingHttpHeaders): Promise<OpenWatch>;
}

/** Time limit in milliseconds that only a hang reaches, even on the slowest machine. */
const hangMs = 120_000;

/** Creates a client. A request without an answer for `timeoutMs` fails. */
export function createApiClient(config: ClientConfig, { timeoutMs = hangMs } = {}): ApiClient {
  const { hostname: host, port } = config.server;
  const agent = new Agent({
    keepAlive: true,
    // The server closes what has been idle for 90 s; whoever reuses a connection in that moment gets no answer.
    timeout: 60_000,
    ca: config.certificateAuthorityPem,
    cert: config.clientCertificate?.certificatePem,
    key: config.clientCertificate?.keyPem,
  });

  const send = (method: string, path: string, options: RequestOptions) => {
    const { body } = options;
    const isRaw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
    const payload = isRaw ? body : JSON.stringify(body);
    const headers: OutgoingHttpHeaders = {
      ...(isRaw ? {} : { "content-type": "application/json" }),
      ...(payload === undefined ? {} : { "content-length": String(Buffer.byteLength(payload)) }),
      ...options.headers,
    };
    const request = httpsRequest({ host, port, method, path, headers, agent, timeout: timeoutMs });
    request.on("timeout", () => request.destroy(new Error(`${method} ${path}: no answer`)));
    request.end(payload);
    return request;
  };

  const request = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = send(method, path, options);
      sent.on("error", reject);
      sent.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))));
      });
    });

  return {
    request,
    get: (path, headers = {}) => request("GET", path, { headers }),
    post: (path, body, headers = {}) => request("POST", path, { body, ...withHeaders(body, headers) }),
    put: (path, body, headers = {}) => request("PUT", path, { body, ...withHeaders(body, headers) }),
    patch: (path, mediaType, body) =>
      request("PATCH", path, {
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "content-type": mediaType },
      }),
    delete: (path, body) => request("DELETE", path, body === undefined ? {} : { body }),
    watch: (path, headers = {}) =>
      new Promise((resolve, reject) => {
        const sent = send("GET", path, { headers });
        sent.on("error", reject);
        sent.on("response", (response) => resolve(readWatch(sent, response)));
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** Raw bodies are JSON unless the test says otherwise. */
function withHeaders(body: unknown, headers: OutgoingHttpHeaders): Pick<RequestOptions, "headers"> {
  const isRaw = typeof body === "string" || Buffer.isBuffer(body);
  return { headers: isRaw ? { "content-type": "application/json", ...headers } : headers };
}

export function answerOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  return {
    status,
    headers,
    bytes,
    get text() {
      return bytes.toString();
    },
    get document() {
      try {
        return JSON.parse(bytes.toString()) as ApiDocument;
      } catch (cause) {
        throw new Error(`status ${status}, and no JSON: ${bytes.toString().slice(0, 500)}`, { cause });
      }
    },
  };
}
