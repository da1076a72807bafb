import type { ConnectionOptions } from "node:tls";
import type { LoadConnection } from "./load-connection.js";
import type { LoadRequest } from "./load-request.js";
import { openLoadConnection, type Protocol } from "./open-load-connection.js";

export interface ClosedLoopOptions {
  readonly port: number;
  readonly tls: ConnectionOptions | undefined;
  readonly protocol: Protocol;
  readonly connections: number;
  /** Requests under way at once on each connection; more than one needs HTTP/2. */
  readonly streams: number;
  readonly request: LoadRequest;
  readonly firstNumber: number;
  readonly expectedCode: number;
  /** Stops of itself after so many requests. */
  readonly count?: number;
}

/** Connections that send requests, each as soon as the whole answer to one before it has come. */
export class ClosedLoop {
  /** Answers so far. */
  answers = 0;
  /** Bytes read so far: over HTTP/1.1 with headers. */
  bytes = 0;
  /** The number that the next request gets. */
  nextNumber: number;
  readonly #options: ClosedLoopOptions;
  readonly #connections: LoadConnection[] = [];
  readonly #end: number;
  #stopped = false;
  #idle = 0;
  #fail: (error: Error) => void = () => {};
  #allIdle: () => void = () => {};

  constructor(options: ClosedLoopOptions) {
    this.#options = options;
    this.nextNumber = options.firstNumber;
    this.#end = options.firstNumber + (options.count ?? Number.POSITIVE_INFINITY);
  }

  /** Connects and begins. The promise settles when the loop has been stopped, or rejects when something goes wrong. */
  async start(): Promise<{ readonly finished: Promise<void> }> {
    const finished = new Promise<void>((resolve, reject) => {
      this.#allIdle = resolve;
      this.#fail = reject;
    });
    // Failures while connecting are seen by whoever waits for the end.
    finished.catch(() => {});
    for (let index = 0; index < this.#options.connections; index++) {
      this.#connections.push(this.#connect());
    }
    await Promise.race([Promise.all(this.#connections.map((connection) => connection.connected())), finished]);
    for (const connection of this.#connections) {
      for (let stream = 0; stream < this.#options.streams; stream++) {
        this.#sendNext(connection);
      }
    }
    return { finished };
  }

  /** No connection sends another request. */
  stop(): void {
    this.#stopped = true;
  }

  close(): void {
    for (const connection of this.#connections) {
      connection.close();
    }
  }

  #connect(): LoadConnection {
    const { protocol, port, tls, request, expectedCode } = this.#options;
    const connection = openLoadConnection(protocol, {
      port,
      tls,
      request,
      expectedCode,
      onBody: (read) => {
        this.bytes += read.length;
      },
      onAnswer: () => {
        this.answers++;
        this.#sendNext(connection);
      },
      onError: (error) => this.#fail(error),
    });
    return connection;
  }

  #sendNext(connection: LoadConnection): void {
    if (!this.#stopped && this.nextNumber < this.#end) {
      connection.send(this.nextNumber++);
      return;
    }
    this.#idle++;
    if (this.#idle === this.#options.connections * this.#options.streams) {
      this.#allIdle();
    }
  }
}
