import { pause } from "../time/pause.js";
import { GrpcCallError } from "./call-error.js";
import { ClientSession, type ClientSessionTarget, type SessionCallOptions } from "./client-session.js";
import { grpcCode } from "./grpc-status.js";
import type { MessageInput } from "./message-codec.js";
import type { Method } from "./method.js";
import type { StreamCall, StreamListener } from "./stream-call.js";

/** The server of a connection; limits that are not given have a default value. */
export type GrpcConnectionOptions = Pick<ClientSessionTarget, "address" | "tls" | "headers"> &
  Partial<ClientSessionTarget>;

const defaults = {
  maxMessageBytes: 2 ** 31 - 1,
  connectTimeoutMs: 5_000,
  keepaliveMs: 30_000,
  keepaliveTimeoutMs: 10_000,
  maxCalls: 2 ** 29,
};
/** Pauses in milliseconds between attempts to connect: the first, and the longest. They differ by a fifth at random. */
const firstPauseMs = 250;
const longestPauseMs = 2_000;
const growth = 1.6;

/** A caller that waits for the connection. */
interface Waiter {
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/**
 * A connection to one server of gRPC, made again whenever it is lost. It costs less than half of grpc-js's processor time
 * a call: there are no filters, interceptors, retries, balancers and compression.
 */
export class GrpcConnection implements Disposable {
  readonly #target: ClientSessionTarget;
  readonly #closing = new AbortController();
  readonly #waiters = new Set<Waiter>();
  #session: ClientSession | undefined;
  #failure: Error | undefined;

  constructor(options: GrpcConnectionOptions) {
    this.#target = { ...defaults, ...options };
    void this.#keep();
  }

  /** True if calls can be sent now. */
  get isReady(): boolean {
    return this.#session !== undefined;
  }

  /** Waits until calls can be sent; rejects after `timeoutMs`, or when the connection is closed. */
  waitForReady(timeoutMs: number): Promise<void> {
    if (this.isReady) {
      return Promise.resolve();
    }
    if (this.#closing.signal.aborted) {
      return Promise.reject(new Error("the connection is closed"));
    }
    return new Promise((resolve, reject) => {
      const waiter = {
        resolve: () => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve();
        },
        reject: (reason: Error) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          reject(reason);
        },
      };
      const expire = (): void => waiter.reject(new Error("no connection in time", { cause: this.#failure }));
      const timer = setTimeout(expire, Math.max(1, timeoutMs));
      this.#waiters.add(waiter);
    });
  }

  /**
   * Calls a method with one request and one answer. Rejects with GrpcCallError; at once when there is no connection; with
   * the signal's reason when it aborts.
   */
  call<Request, Response>(
    method: Method<Request, Response>,
    request: MessageInput<Request>,
    options: SessionCallOptions,
  ): Promise<Response> {
    return this.#session === undefined
      ? Promise.reject(this.#notConnected())
      : this.#session.call(method, request, options);
  }

  /** Opens a call with streams in both directions. Throws GrpcCallError when there is no connection. */
  openStream<Request, Response>(
    method: Method<Request, Response>,
    listener: StreamListener<Response>,
  ): StreamCall<Request, Response> {
    if (this.#session === undefined) {
      throw this.#notConnected();
    }
    return this.#session.openStream(method, listener);
  }

  /** Closes the connection when the calls that are under way have ended. */
  [Symbol.dispose](): void {
    this.#closing.abort();
    this.#session?.close();
    for (const waiter of this.#waiters) {
      waiter.reject(new Error("the connection is closed"));
    }
  }

  #notConnected(): GrpcCallError {
    const why = this.#failure === undefined ? "" : `: ${this.#failure.message}`;
    return new GrpcCallError(grpcCode.unavailable, `No connection established${why}`, {
      isUnsent: true,
      cause: this.#failure,
    });
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    let pauseMs = firstPauseMs;
    while (!signal.aborted) {
      try {
        const session = await ClientSession.open(this.#target);
        const openedAtMs = performance.now();
        await this.#use(session);
        if (performance.now() - openedAtMs >= longestPauseMs) {
          pauseMs = firstPauseMs;
          continue; // others can be expected to last as long
        }
      } catch (error) {
        this.#failure = error as Error;
      }
      await pause(pauseMs * (0.8 + 0.4 * Math.random()), signal);
      pauseMs = Math.min(growth * pauseMs, longestPauseMs);
    }
  }

  /** Lets calls use the session until it takes no more. */
  async #use(session: ClientSession): Promise<void> {
    if (this.#closing.signal.aborted) {
      session.close();
      return;
    }
    this.#session = session;
    for (const waiter of this.#waiters) {
      waiter.resolve();
    }
    const reason = await session.retired;
    this.#session = undefined;
    this.#failure = reason;
  }
}
