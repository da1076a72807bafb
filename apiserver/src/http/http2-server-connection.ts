import type { TLSSocket } from "node:tls";
import {
  type ConnectionListener,
  errorCode,
  Http2Connection,
  Http2Error,
  type Http2Stream,
  type Serving,
  type StreamReceiver,
} from "@gatehouse/component-base/http2";
import { inNextRound } from "@gatehouse/component-base/time";
import type { Handler } from "../request/handler.js";
import { RequestContext } from "../request/request-context.js";
import { Connection } from "../scheduling/connection.js";
import { answer } from "./answer-safely.js";
import { type ExchangeCarrier, Http2Exchange } from "./http2-exchange.js";

/** Limits of one connection of HTTP/2, and its handler. */
export interface Http2ServerOptions {
  readonly handler: Handler;
  /**
   * The number of requests that a client may have open, and that are worked on at once, reset ones counted while their
   * work runs.
   */
  readonly maxStreams: number;
  /** The time in milliseconds after which the connection is closed if nothing is open on it. */
  readonly idleTimeoutMs: number;
}

/** The limit of a request's headers in bytes, as Go's server has it: selectors can be long. */
export const maxHeaderBytes = 1024 * 1024;
/** Bytes of a body that a client may send before the server has read them; v1.29's number, above 99% of all objects. */
const streamWindow = 256 * 1024;
/**
 * Answers wait in memory for the client to take them; Go sets no bound but that of the streams. A small one would refuse
 * every other request of a client with a dozen large ones under way.
 */
const maxPendingBytes = 1000 * 1024 * 1024;
/**
 * Bytes of frames that may wait for a client before nothing more is begun for it. Data of answers waits for the client
 * elsewhere, but their heads do not: without a bound, answers that have no body would fill the memory.
 */
const maxUnsentBytes = 1024 * 1024;
/**
 * The factor of `maxStreams` for requests that wait for earlier ones; a client that opens more resets them without
 * need.
 */
const maxWaitingFactor = 4;
/** The factor of `maxStreams` for unanswered resets within a second: each costs the server more than the client. */
const maxResetsFactor = 4;
const resetsIntervalMs = 1000;

/**
 * Serves one connection of HTTP/2. A stream that is reset frees its place for the client at once, but what it started
 * runs until it notices (CVE-2023-44487), so that works are counted here, as Go's server counts them: what is too much
 * waits, and what is far too much ends the connection with ENHANCE_YOUR_CALM. Nothing new is begun either for a client
 * that has left much unread.
 */
export class Http2ServerConnection implements ConnectionListener, Serving, ExchangeCarrier {
  readonly socket: TLSSocket;
  readonly connection = new Connection();
  readonly maxPendingBytes = maxPendingBytes;
  readonly #options: Http2ServerOptions;
  readonly #http2: Http2Connection;
  readonly #idleTimer: NodeJS.Timeout;
  readonly #waiting: RequestContext[] = [];
  #openStreams = 0;
  #running = 0;
  #awaitsRoom = false;
  #startsSoon = false;
  /** Streams that were reset before they had an answer, since `#resetsSince` on a monotonic clock. */
  #resets = 0;
  #resetsSince = 0;

  constructor(socket: TLSSocket, options: Http2ServerOptions) {
    this.socket = socket;
    this.#options = options;
    const connectionWindow = streamWindow * options.maxStreams;
    const limits = { streamWindow, connectionWindow, maxListBytes: maxHeaderBytes };
    this.#http2 = new Http2Connection(socket, { listener: this, limits, serving: this });
    this.#idleTimer = setTimeout(() => this.#closeIfIdle(), options.idleTimeoutMs);
  }

  get maxStreams(): number {
    return this.#options.maxStreams;
  }

  accept(stream: Http2Stream, fields: readonly string[], isEnd: boolean): StreamReceiver {
    const exchange = new Http2Exchange(stream, fields, isEnd, this);
    this.#openStreams++;
    exchange.whenClosed(() => {
      this.#openStreams--;
      if (this.#openStreams === 0) {
        this.#idleTimer.refresh();
      }
      if (exchange.status === 0) {
        this.#countReset();
      }
    });
    this.#waiting.push(new RequestContext(exchange));
    if (this.#waiting.length > maxWaitingFactor * this.maxStreams) {
      this.#breakOff();
    } else if (!this.#startsSoon) {
      this.#startsSoon = true;
      inNextRound(this.#startNewcomers);
    }
    return exchange;
  }

  onDrain(): void {
    if (this.#waiting.length > 0) {
      this.#startWaiting();
    }
  }

  onClose(): void {
    clearTimeout(this.#idleTimer);
    this.#waiting.length = 0;
  }

  refuseMore(): void {
    this.#http2.close();
  }

  readonly #startNewcomers = (): void => {
    this.#startsSoon = false;
    this.#startWaiting();
  };

  get #mayStart(): boolean {
    return this.#running < this.maxStreams && !this.connection.isFull && this.#http2.unsentBytes < maxUnsentBytes;
  }

  #start(context: RequestContext): void {
    const work = answer(this.#options.handler, context);
    if (work !== undefined) {
      this.#running++;
      void work.then(() => {
        this.#running--;
        this.#startWaiting();
      });
    }
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && this.#mayStart) {
      const context = this.#waiting.shift() as RequestContext;
      if (!context.isClosed) {
        this.#start(context);
      }
    }
    this.#awaitRoom();
  }

  #awaitRoom(): void {
    if (this.#waiting.length > 0 && this.connection.isFull && !this.#awaitsRoom) {
      this.#awaitsRoom = true;
      this.connection.whenRoom(() => {
        this.#awaitsRoom = false;
        this.#startWaiting();
      });
    }
  }

  #countReset(): void {
    const now = performance.now();
    if (now - this.#resetsSince > resetsIntervalMs) {
      this.#resetsSince = now;
      this.#resets = 0;
    }
    this.#resets++;
    if (this.#resets > maxResetsFactor * this.maxStreams) {
      this.#breakOff();
    }
  }

  #breakOff(): void {
    this.#http2.destroy(new Http2Error(errorCode.enhanceYourCalm, "the client resets too many requests"));
  }

  #closeIfIdle(): void {
    if (this.#openStreams === 0) {
      this.#http2.close();
    }
  }
}
