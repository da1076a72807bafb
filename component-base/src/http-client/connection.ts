import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import Client from "undici/lib/dispatcher/client.js";
import type { Deadline } from "./deadline.js";
import type { HttpRequest, HttpResponse } from "./http-request.js";
import { openResponseBody, type ResponseBody } from "./response-body.js";
import { MalformedResponseError, TruncatedBodyError } from "./response-errors.js";

/** Opens the socket of a connection, ready for a request. */
export type OpenSocket = () => Promise<Socket>;

/** A request with everything that its sending needs. */
export interface SentRequest extends HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** The path and query as in the request line. */
  readonly target: string;
  /** True if compressed answers are decompressed here. */
  readonly unzip: boolean;
  readonly deadline: Deadline;
}

const defaultMaxResponseBytes = 4 * 1024 * 1024;
/**
 * Maximum size of an answer's headers in bytes, about that of Go's transport; Node's 16 KiB refuses what other clients
 * take.
 */
const maxHeaderBytes = 1024 * 1024;
/** Time in milliseconds after which an unused connection is closed, as in Go's transport for API clients. */
const idleTimeoutMs = 90_000;

/** One connection, with one request at a time. Its socket is opened with the first request, and anew after it was lost. */
export class Connection {
  readonly #client: Client;
  #isReused = false;
  /** First error of the socket: a TLS alert comes before the end of the connection that it causes. */
  #firstError: Error | undefined;
  /** Last bytes received while an answer is awaited. */
  #lastPiece: Buffer | undefined;

  /** `onLost` is called when the socket has closed. */
  constructor(open: OpenSocket, onLost: (connection: Connection) => void) {
    // Where the server is and what it is called, in TLS and in the Host header, is the affair of `open` and the requests.
    this.#client = new Client("http://server", {
      connect: (_, done) => {
        open().then(
          (socket) => done(null, this.#watch(socket)),
          (error: Error) => done(error, null),
        );
      },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleTimeoutMs,
      keepAliveMaxTimeout: idleTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
    });
    this.#client.on("disconnect", () => onLost(this));
  }

  /** True if the connection has carried an earlier request: the server may have closed it meanwhile. */
  get isReused(): boolean {
    return this.#isReused;
  }

  /** Sends a request. Once it has rejected the connection is of no more use. */
  async send(asked: SentRequest): Promise<HttpResponse> {
    const exchange = new Exchange(asked);
    this.#client.dispatch(
      {
        path: asked.target,
        method: (asked.method ?? "GET") as Dispatcher.HttpMethod,
        headers: asked.headers,
        ...(asked.body === undefined ? {} : { body: asked.body }),
      },
      exchange,
    );
    try {
      const response = await exchange.response;
      this.#isReused = true;
      return response;
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#lastPiece = undefined;
    }
  }

  destroy(): void {
    this.#client.destroy(() => {});
  }

  #watch(socket: Socket): Socket {
    this.#isReused = false;
    this.#firstError = undefined;
    socket.once("error", (error) => {
      this.#firstError = error;
    });
    // Not before somebody reads: to listen would set the socket going.
    this.#client.once("connect", () => {
      socket.on("data", (piece) => {
        this.#lastPiece = piece;
      });
    });
    return socket;
  }

  #explain(error: unknown): unknown {
    if (!(error instanceof Error)) {
      return error;
    }
    const code = "code" in error ? error.code : undefined;
    if (code === "UND_ERR_SOCKET") {
      return this.#firstError ?? error;
    }
    if (code === "UND_ERR_INVALID_ARG") {
      return new TypeError(error.message, { cause: error });
    }
    return error.name === "HTTPParserError" || malformed.has(code)
      ? new MalformedResponseError(this.#lastPiece, { cause: error })
      : error;
  }
}

/** Among them what undici asserts of status codes. */
const malformed: ReadonlySet<unknown> = new Set([
  "UND_ERR_HEADERS_OVERFLOW",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "ERR_ASSERTION",
]);

/** One request and its answer, as undici tells of it. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<HttpResponse>;
  readonly #asked: SentRequest;
  #resolve!: (response: HttpResponse) => void;
  #reject!: (error: unknown) => void;
  #status = 0;
  #headers: HttpResponse["headers"] = {};
  #body: ResponseBody | undefined;

  constructor(asked: SentRequest) {
    this.#asked = asked;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    asked.deadline.onEnd(() => this.onResponseError(undefined, new Error("the call has ended")));
  }

  /** Marks this handler as one of undici's new interface, which is told from the old one by this method. */
  onRequestStart(): void {}

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) {
      return;
    }
    const { maxResponseBytes: maxBytes = defaultMaxResponseBytes, unzip, onBody } = this.#asked;
    this.#status = status;
    this.#headers = joined(headers);
    this.#body = openResponseBody({ status, headers: this.#headers }, { maxBytes, unzip, onBody, fail: this.#fail });
  }

  onResponseData(_: unknown, piece: Buffer): void {
    this.#body?.push(piece);
  }

  onResponseEnd(): void {
    const body = this.#body?.end();
    if (body instanceof Promise) {
      body.then((whole) => this.#answer(whole), this.#fail);
    } else if (body !== undefined) {
      this.#answer(body);
    }
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(this.#status === 0 ? error : new TruncatedBodyError({ cause: error }));
  }

  /** Rejects the call. Bytes that still come until the connection is closed are dropped. */
  readonly #fail = (error: unknown): void => {
    this.#body = undefined;
    this.#reject(error);
  };

  #answer(body: Buffer): void {
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }
}

/** Headers of which the first value counts, as in Node. Values of other repeated headers are joined, except cookies. */
const singularHeaders: ReadonlySet<string> = new Set(["content-length", "content-type", "location", "retry-after"]);

function joined(headers: Record<string, string | string[] | undefined>): HttpResponse["headers"] {
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value) && name !== "set-cookie") {
      headers[name] = singularHeaders.has(name) ? value[0] : value.join(", ");
    }
  }
  return headers;
}
