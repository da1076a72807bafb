import type { ConnectionOptions } from "node:tls";
import type { LoadConnection } from "./load-connection.js";
import type { LoadRequest } from "./load-request.js";
import { openLoadConnection, type Protocol } from "./open-load-connection.js";

const lineFeed = 0x0a;
const closingBrace = 0x7d;
/** Handshakes in groups: a thousand at once would only wait for each other. */
const handshakesAtOnce = 50;

export interface StreamGroupOptions {
  readonly port: number;
  readonly tls: ConnectionOptions | undefined;
  readonly protocol: Protocol;
  readonly connections: number;
  /** Watches on each connection; more than one needs HTTP/2. */
  readonly streams: number;
  readonly request: LoadRequest;
}

/** Many open watches, and the number of events that they have received. */
export class StreamGroup {
  events = 0;
  /** Watches that the server has ended. */
  ended = 0;
  #size = 0;
  readonly #connections: LoadConnection[] = [];

  /** Number of watches. */
  get size(): number {
    return this.#size;
  }

  /** Opens the watches; resolves when each has its headers. */
  async open(options: StreamGroupOptions): Promise<void> {
    for (let opened = 0; opened < options.connections; opened += handshakesAtOnce) {
      const group = Math.min(handshakesAtOnce, options.connections - opened);
      await Promise.all(Array.from({ length: group }, () => this.#openOne(options)));
    }
    this.#size = options.connections * options.streams;
  }

  close(): void {
    for (const connection of this.#connections) {
      connection.close();
    }
  }

  #openOne({ streams, protocol, ...options }: StreamGroupOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      let waiting = streams;
      const connection = openLoadConnection(protocol, {
        ...options,
        expectedCode: 200,
        endless: true,
        onBody: protocol === "HTTP/2" ? (bytes) => this.#countLines(bytes) : this.#eventCounter(),
        onHead: () => {
          waiting--;
          if (waiting === 0) {
            resolve();
          }
        },
        onAnswer: () => {
          this.ended++;
          reject(new Error("a watch has ended"));
        },
        onError: reject,
      });
      this.#connections.push(connection);
      void connection.connected().then(() => {
        for (let stream = 0; stream < streams; stream++) {
          connection.send(0);
        }
      });
    });
  }

  /** JSON has no line feeds but those between the events. */
  #countLines(bytes: Buffer): void {
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
      this.events++;
    }
  }

  /** Over HTTP/1.1 chunk headers stand between; they do not end with a brace and a line feed. */
  #eventCounter(): (bytes: Buffer) => void {
    let last = 0;
    return (bytes) => {
      for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
        if ((at === 0 ? last : bytes[at - 1]) === closingBrace) {
          this.events++;
        }
      }
      last = bytes[bytes.length - 1] ?? last;
    };
  }
}
