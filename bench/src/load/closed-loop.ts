import type { ConnectionOptions } from "node:tls";
import { RawConnection } from "./raw-connection.js";
import { type RequestTemplate, writeNumber } from "./request-template.js";

export interface ClosedLoopOptions {
  readonly port: number;
  readonly tls: ConnectionOptions;
  readonly connections: number;
  readonly request: RequestTemplate;
  readonly firstNumber: number;
  readonly expectedCode: number;
  /** Stops of itself after so many requests. */
  readonly count?: number;
}

/** Connections that each send a request, wait for the whole answer, and send the next. */
export class ClosedLoop {
  /** Answers so far. */
  answers = 0;
  /** Bytes read so far, headers included. */
  bytes = 0;
  /** The number that the next request gets. */
  nextNumber: number;
  readonly #options: ClosedLoopOptions;
  readonly #connections: RawConnection[] = [];
  #stopped = false;
  #idle = 0;
  #fail: (error: Error) => void = () => {};
  #allIdle: () => void = () => {};

  constructor(options: ClosedLoopOptions) {
    this.#options = options;
    this.nextNumber = options.firstNumber;
  }

  /** Connects and begins. The promise settles when the loop has been stopped, or rejects when something goes wrong. */
  async start(): Promise<{ readonly finished: Promise<void> }> {
    const { connections, port, tls, request, expectedCode } = this.#options;
    const end = this.#options.firstNumber + (this.#options.count ?? Number.POSITIVE_INFINITY);
    const finished = new Promise<void>((resolve, reject) => {
      this.#allIdle = resolve;
      this.#fail = reject;
    });
    // Failures while connecting are seen by whoever waits for the end.
    finished.catch(() => {});
    const senders: (() => void)[] = [];
    for (let index = 0; index < connections; index++) {
      const bytes = Buffer.from(request.bytes);
      const send = (): void => {
        if (this.#stopped || this.nextNumber === end) {
          this.#idle++;
          if (this.#idle === connections) {
            this.#allIdle();
          }
          return;
        }
        writeNumber(request, bytes, this.nextNumber++);
        connection.send(bytes);
      };
      const connection = new RawConnection({
        port,
        tls,
        onBytes: (read) => {
          this.bytes += read.length;
        },
        onResponse: (code) => {
          if (code !== expectedCode) {
            this.#fail(new Error(`an answer with code ${code} where ${expectedCode} is right`));
            return;
          }
          this.answers++;
          send();
        },
        onError: (error) => this.#fail(error),
      });
      this.#connections.push(connection);
      senders.push(send);
    }
    await Promise.race([Promise.all(this.#connections.map((connection) => connection.connected())), finished]);
    for (const send of senders) {
      send();
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
}
