import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { listenHost } from "@gatehouse/component-base/addresses";

/** A process that can be handed connections. */
export interface ConnectionTaker {
  readonly connections: number;
  hand(connection: Socket): void;
}

/** Connections that wait when no worker serves; those beyond are closed. */
const maxWaiting = 1000;

/**
 * The port of a server with workers. Each connection goes to the worker with the fewest: connections of Kubernetes clients
 * last for hours, so that an uneven spread would last as long.
 */
export class SharedPort {
  readonly #takers: () => readonly ConnectionTaker[];
  readonly #onError: (error: Error) => void;
  readonly #waiting: Socket[] = [];
  #server: Server | undefined;
  #opening: Promise<number> | undefined;
  /** The taker of the last connection: of several with as few connections, another one is next. */
  #last: ConnectionTaker | undefined;

  constructor(takers: () => readonly ConnectionTaker[], onError: (error: Error) => void) {
    this.#takers = takers;
    this.#onError = onError;
  }

  /** Opens the port at the first call. Resolves to its number, and rejects when it cannot be opened. */
  open(host: string, port: number): Promise<number> {
    this.#opening ??= this.#open(host, port);
    return this.#opening;
  }

  /** Hands over the connections that have come while no worker served. */
  handOver(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#take(next);
    }
  }

  /** Stops accepting connections, and closes those that wait. */
  close(): void {
    this.#server?.close();
    for (const connection of this.#waiting.splice(0)) {
      connection.destroy();
    }
  }

  async #open(host: string, port: number): Promise<number> {
    const server = createServer({ pauseOnConnect: true }, (connection) => this.#take(connection));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host: listenHost(host) }, () => {
        server.off("error", reject);
        server.on("error", this.#onError);
        resolve();
      });
    });
    return (server.address() as AddressInfo).port;
  }

  #take(connection: Socket): void {
    const taker = this.#freest();
    if (taker !== undefined) {
      this.#last = taker;
      taker.hand(connection);
    } else if (this.#waiting.length < maxWaiting) {
      this.#waiting.push(connection);
    } else {
      connection.destroy();
    }
  }

  #freest(): ConnectionTaker | undefined {
    const takers = this.#takers();
    const after = takers.indexOf(this.#last as ConnectionTaker) + 1;
    const inTurn = [...takers.slice(after), ...takers.slice(0, after)];
    return inTurn.reduce<ConnectionTaker | undefined>(
      (best, taker) => (best === undefined || taker.connections < best.connections ? taker : best),
      undefined,
    );
  }
}
