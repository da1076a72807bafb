import type { Socket } from "node:net";
import { HttpClientError } from "@gatehouse/component-base/errors";
import { dial } from "@gatehouse/component-base/http-client";
import { type Backend, type BackendAnswer, type BackendRequest, originOf } from "./backend.js";
import { BackendDialer, type BackendTls, type DialBackend } from "./dial-backend.js";
import { Http1Backends, type Http1Call, sendHttp1, sendUpgrade, type UpgradeOutcome } from "./http1-backend.js";
import type { AnswerOutcome } from "./http2-answer.js";
import { Http2Session } from "./http2-backend.js";
import { LimitedRecipient, type Recipient } from "./recipient.js";
import { HeadersTimeoutError, RequestUnseenError } from "./transport-errors.js";

/** Settings of a transport. */
export interface TransportOptions {
  /**
   * Returns the TLS material of new connections. Connections of earlier material take no more requests once another object
   * is returned, so that the same object should be returned until something changes.
   */
  readonly tls: () => BackendTls | Promise<BackendTls>;
  /** Opens TCP connections; directly by default. */
  readonly dial?: DialBackend;
  /** Time limit in milliseconds for a direct TCP connection. 30,000 by default. */
  readonly dialTimeoutMs?: number;
  /** Time limit in milliseconds from the request to the beginning of its answer. None by default. */
  readonly headersTimeoutMs?: number;
  /** True if HTTP/2 is offered to backends with TLS. True by default. */
  readonly http2?: boolean;
  /** Time in milliseconds after which an unused connection is closed. 90,000 by default. */
  readonly idleTimeoutMs?: number;
  /** Unused connections that are kept for each backend. 25 by default, as in v1.29. */
  readonly maxIdlePerBackend?: number;
}

const replayableMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Tries of one request on different connections: stale ones, and one whose HTTP/2 session has ended meanwhile. */
const maxTries = 5;

/**
 * Sends requests to backends over HTTP/1.1, or HTTP/2 where a backend agrees by ALPN, and keeps the connections. Rejects
 * with HttpClientError.
 */
export class Transport implements Disposable {
  readonly #options: TransportOptions;
  readonly #dial: DialBackend;
  #connections: BackendConnections | undefined;
  #isDisposed = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#dial = options.dial ?? ((address) => dial([address], options.dialTimeoutMs));
  }

  /** Sends a request. Resolves when its answer has begun. */
  send(backend: Backend, asked: BackendRequest): Promise<BackendAnswer> {
    return this.#withDeadline(asked, (request) => {
      const tls = this.#options.tls();
      return tls instanceof Promise
        ? tls.then((late) => this.#connectionsWith(late).send(backend, request))
        : this.#connectionsWith(tls).send(backend, request);
    });
  }

  /** Asks for another protocol, over a connection of HTTP/1.1 that nothing else uses. */
  upgrade(backend: Backend, asked: BackendRequest): Promise<UpgradeOutcome> {
    return this.#withDeadline(asked, async (request) => {
      const { dialer } = this.#connectionsWith(await this.#options.tls());
      const socket = await dialer.open(backend, ["http/1.1"]);
      return await sendUpgrade(socket, backend, request);
    });
  }

  /** Closes idle connections, and the others when their answers have ended. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#connections?.retire();
  }

  #connectionsWith(tls: BackendTls): BackendConnections {
    if (this.#isDisposed) {
      throw new HttpClientError("aborted", "the transport is closed");
    }
    if (this.#connections?.dialer.tls !== tls) {
      this.#connections?.retire();
      this.#connections = new BackendConnections(new BackendDialer(tls, this.#dial), this.#options);
    }
    return this.#connections;
  }

  #withDeadline<T>(asked: BackendRequest, send: (asked: BackendRequest) => Promise<T>): Promise<T> {
    const { headersTimeoutMs } = this.#options;
    let sent: Promise<T>;
    try {
      sent = headersTimeoutMs === undefined ? send(asked) : sendInTime(asked, send, headersTimeoutMs);
    } catch (error) {
      sent = Promise.reject(error);
    }
    return sent.catch((error: unknown) => {
      throw toClientError(error, asked.recipient);
    });
  }
}

/** Sends a request, and abandons it when its answer has not begun in time. */
async function sendInTime<T>(
  asked: BackendRequest,
  send: (asked: BackendRequest) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const recipient = new LimitedRecipient(asked.recipient);
  return await new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      recipient.close();
      reject(new HttpClientError("timeout", new HeadersTimeoutError(timeoutMs).message));
    }, timeoutMs);
    send({ ...asked, recipient })
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** The connections that were opened with one set of TLS material. */
class BackendConnections {
  readonly dialer: BackendDialer;
  readonly #http1: Http1Backends;
  readonly #sessions = new Map<string, Set<Http2Session>>();
  readonly #idleTimeoutMs: number;

  constructor(
    dialer: BackendDialer,
    { idleTimeoutMs = 90_000, maxIdlePerBackend = 25, http2 = true }: TransportOptions,
  ) {
    this.dialer = dialer;
    this.#idleTimeoutMs = idleTimeoutMs;
    const protocols = http2 ? ["h2", "http/1.1"] : ["http/1.1"];
    const open = async (backend: Backend): Promise<Socket> => {
      const socket = await dialer.open(backend, protocols);
      if ("alpnProtocol" in socket && socket.alpnProtocol === "h2") {
        this.#addSession(backend, socket);
        throw new Http2AgreedError();
      }
      return socket;
    };
    this.#http1 = new Http1Backends(open, idleTimeoutMs, maxIdlePerBackend);
  }

  send(backend: Backend, asked: BackendRequest): Promise<BackendAnswer> {
    return new Promise((resolve, reject) => this.#try(backend, asked, { resolve, reject }, 1));
  }

  /** Sends a request for the first time, or again. A promise for each of these steps would cost as much as the step. */
  #try(backend: Backend, asked: BackendRequest, outcome: AnswerOutcome, tries: number): void {
    const session = this.#sessionFor(backend);
    const call = session === undefined ? sendHttp1(this.#http1, backend, asked) : undefined;
    const fail = (error: Error): void => {
      const isWorthAnother = tries < maxTries && !asked.recipient.isClosed;
      if (isWorthAnother && (error instanceof Http2AgreedError || mayBeSentAgain(error, asked, call))) {
        // Not at once: a connection may be amidst its end.
        Promise.resolve()
          .then(() => this.#try(backend, asked, outcome, tries + 1))
          .catch(outcome.reject);
      } else {
        outcome.reject(error);
      }
    };
    if (session !== undefined) {
      session.send(backend, asked, { resolve: outcome.resolve, reject: fail });
    } else {
      call?.answer.then(outcome.resolve, fail);
    }
  }

  retire(): void {
    this.#http1.retire();
    for (const session of [...this.#sessions.values()].flatMap((sessions) => [...sessions])) {
      session.retire();
    }
  }

  #sessionFor(backend: Backend): Http2Session | undefined {
    for (const session of this.#sessions.get(originOf(backend)) ?? []) {
      if (session.hasRoom) {
        return session;
      }
    }
  }

  #addSession(backend: Backend, socket: Socket): void {
    const key = originOf(backend);
    const session = new Http2Session(socket, this.#idleTimeoutMs, (closed) => {
      const known = this.#sessions.get(key);
      known?.delete(closed);
      if (known?.size === 0) {
        this.#sessions.delete(key);
      }
    });
    const sessions = this.#sessions.get(key) ?? new Set();
    this.#sessions.set(key, sessions.add(session));
  }
}

/** Thrown to a request of HTTP/1.1 whose new connection speaks HTTP/2. */
class Http2AgreedError extends Error {
  override readonly name = "Http2AgreedError";
}

/** Reports whether a request that has failed can be sent again as it was, without a chance of being carried out twice. */
function mayBeSentAgain(error: unknown, { method, body }: BackendRequest, call: Http1Call | undefined): boolean {
  // A backend may close a kept connection in the moment in which it is used.
  const isStale = call?.isReused === true && isLost(error) && replayableMethods.has(method);
  return body === undefined && (isStale || error instanceof RequestUnseenError);
}

function isLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(ECONNRESET|EPIPE)$/.test(String(error.code));
}

function toClientError(error: unknown, recipient: Recipient): HttpClientError {
  if (recipient.isClosed) {
    return new HttpClientError("aborted", "the request was aborted", { cause: error });
  }
  if (error instanceof HttpClientError) {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  return new HttpClientError("connection", message, { cause: error });
}
