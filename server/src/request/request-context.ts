import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";
import { type RequestInfo, unresolvedRequest } from "./request-info.js";
import type { UserInfo } from "./user-info.js";

/** Requests and responses of HTTP/1.1; those of HTTP/2 come in Node's compatible form, which has the same members. */
export type HttpRequest = IncomingMessage;
export type HttpResponse = ServerResponse;

/**
 * What travels down the stage list with one request. The stages fill it in from top to bottom; what a stage needs was
 * put there by one above it. One AbortSignal goes from the socket to the store and to every outbound call; it is made
 * only when something asks for it, because most reads never wait.
 */
export class RequestContext {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Decoded path and parsed query. */
  path = "";
  query: URLSearchParams = emptyQuery;
  auditID = "";
  info: RequestInfo = unresolvedRequest;
  user!: UserInfo;
  /** Verb, resource and subresource are served: names that go into metrics. Set where they are looked up. */
  isKnownResource = false;
  /** The path, when it is that of a health endpoint; metrics show it. */
  healthPath = "";
  /** Milliseconds on a monotonic clock. */
  readonly receivedAtMs: number = performance.now();
  /** Whether the answer may be compressed if the client takes that. */
  mayCompress = true;
  /** Items for the Warning header, sent with the response. */
  warnings: string[] | undefined;
  #controller: AbortController | undefined;
  #abortListeners: Set<AbortListener> | undefined;
  #abortReason: Error | undefined;

  constructor(request: HttpRequest, response: HttpResponse) {
    this.request = request;
    this.response = response;
  }

  get method(): string {
    return this.request.method ?? "GET";
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === "string" ? value : value?.[0];
  }

  warn(message: string): void {
    this.warnings ??= [];
    if (!this.warnings.includes(message)) {
      this.warnings.push(message);
    }
  }

  /**
   * Nobody takes the answer any more: it is complete, or the client has gone away. HTTP/2's compatible form of a response
   * has no `destroyed` and no `closed`; its stream has.
   */
  get isClosed(): boolean {
    const { stream } = this.response as unknown as Partial<Http2ServerResponse>;
    return stream === undefined ? this.response.destroyed : stream.destroyed || stream.closed;
  }

  /** Ends an answer in the middle, so that no client takes what it has for the whole. */
  breakOff(): void {
    const { stream } = this.response as unknown as Partial<Http2ServerResponse>;
    if (stream === undefined) {
      this.response.destroy();
    } else {
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  }

  /** Aborts when the client goes away without its answer, or the deadline passes. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.whenAborted((reason) => controller.abort(reason));
    }
    return this.#controller.signal;
  }

  /**
   * Calls `listener` once, when `signal` would abort; at once if it has. The function returned takes that back. For what
   * every write does: a signal with its events costs as much as decoding a small object.
   */
  whenAborted(listener: AbortListener): () => void {
    const reason = this.#abortReason ?? (this.isClosed ? new ClientGoneError() : undefined);
    if (reason !== undefined) {
      listener(reason);
      return () => {};
    }
    if (this.#abortListeners === undefined) {
      this.#abortListeners = new Set();
      this.response.once("close", () => {
        // Who has ended the answer does not wait for anything any more.
        if (!this.response.writableEnded) {
          this.abort(new ClientGoneError());
        }
      });
    }
    const listeners = this.#abortListeners;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  abort(reason: Error): void {
    if (this.#abortReason !== undefined) {
      return;
    }
    this.#abortReason = reason;
    for (const listener of this.#abortListeners ?? []) {
      listener(reason);
    }
  }
}

type AbortListener = (reason: Error) => void;

const emptyQuery = new URLSearchParams();

/** The client closed the connection before it had its answer. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";

  constructor() {
    super("the client closed the connection");
  }
}
