import { constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { inNextRound } from "@gatehouse/component-base/time";
import type { Handler } from "../request/handler.js";
import { RequestContext } from "../request/request-context.js";
import { Connection } from "../scheduling/connection.js";
import { answer } from "./answer-safely.js";
import { Http2Exchange } from "./http2-exchange.js";

/** Limits of one connection of HTTP/2, and its handler. */
export interface Http2ConnectionOptions {
  readonly handler: Handler;
  /**
   * The number of requests that a client may have open, and that are worked on at once, reset ones counted while their
   * work runs.
   */
  readonly maxStreams: number;
  /** The time in milliseconds after which the connection is closed if nothing is open on it. */
  readonly idleTimeoutMs: number;
}

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
export class Http2Connection {
  readonly #session: ServerHttp2Session;
  readonly #options: Http2ConnectionOptions;
  readonly #connection = new Connection();
  readonly #waiting: RequestContext[] = [];
  #openStreams = 0;
  #running = 0;
  #awaitsRoom = false;
  #startsSoon = false;
  #isDue = false;
  #isBrokenOff = false;
  /** Streams that were reset before they had an answer, since `#resetsSince` on a monotonic clock. */
  #resets = 0;
  #resetsSince = 0;

  constructor(session: ServerHttp2Session, options: Http2ConnectionOptions) {
    this.#session = session;
    this.#options = options;
    session.on("stream", this.#accept.bind(this));
    session.setTimeout(options.idleTimeoutMs);
    session.on("timeout", () => this.#closeIfIdle());
    session.once("close", () => {
      this.#waiting.length = 0;
    });
  }

  // Node's types do not know of the last argument.
  #accept(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    _flags: number,
    rawHeaders: readonly string[] = [],
  ): void {
    const exchange = new Http2Exchange(stream, headers, rawHeaders, this.#connection);
    if (this.#isBrokenOff || exchange.isClosed || this.#session.destroyed) {
      return;
    }
    this.#openStreams++;
    exchange.whenClosed(() => {
      this.#openStreams--;
      if (exchange.status === 0) {
        this.#countReset();
      }
      if (this.#isDue) {
        this.#waitForIdleness();
      }
    });
    this.#waiting.push(new RequestContext(exchange));
    if (this.#waiting.length > maxWaitingFactor * this.#options.maxStreams) {
      this.#breakOff();
      return;
    }
    if (!this.#startsSoon) {
      this.#startsSoon = true;
      inNextRound(this.#startNewcomers);
    }
  }

  readonly #startNewcomers = (): void => {
    this.#startsSoon = false;
    this.#startWaiting();
  };

  get #mayStart(): boolean {
    return this.#running < this.#options.maxStreams && !this.#connection.isFull;
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
    if (this.#waiting.length > 0 && this.#connection.isFull && !this.#awaitsRoom) {
      this.#awaitsRoom = true;
      this.#connection.whenRoom(() => {
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
    if (this.#resets > maxResetsFactor * this.#options.maxStreams && !this.#isBrokenOff) {
      this.#breakOff();
    }
  }

  #breakOff(): void {
    this.#isBrokenOff = true;
    this.#waiting.length = 0;
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    // What has just been said goes out with the next round.
    setImmediate(() => this.#session.destroy());
  }

  #closeIfIdle(): void {
    this.#isDue = this.#openStreams > 0;
    if (!this.#isDue) {
      this.#session.close();
    }
  }

  /** Restarts Node's idle timer, which does not count the last write on the last stream as activity. */
  #waitForIdleness(): void {
    this.#isDue = false;
    this.#session.setTimeout(this.#options.idleTimeoutMs);
  }
}
