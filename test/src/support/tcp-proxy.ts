import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Both ends of a connection through the proxy. */
type Ends = readonly [Socket, Socket];

/** A network between a client and a server on 127.0.0.1, which can be partitioned. */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #connections = new Set<Ends>();
  #isCut = false;

  /** Starts a proxy to a port of 127.0.0.1. */
  static async start(targetPort: number): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server, targetPort);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    server.on("connection", (socket) => this.#forward(socket, targetPort));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops all bytes, in both directions, and tells nobody. Connections that are made meanwhile are accepted and silent. */
  cut(): void {
    this.#isCut = true;
    for (const socket of [...this.#connections].flat()) {
      socket.pause();
    }
  }

  /** Lets bytes through again, those that were held back first. */
  heal(): void {
    this.#isCut = false;
    for (const socket of [...this.#connections].flat()) {
      socket.resume();
    }
  }

  /** Breaks all connections. */
  reset(): void {
    for (const socket of [...this.#connections].flat()) {
      socket.resetAndDestroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.reset();
  }

  #forward(client: Socket, targetPort: number): void {
    const target = connect(targetPort, "127.0.0.1");
    const ends = [client, target] as const;
    this.#connections.add(ends);
    for (const [from, to] of [ends, [target, client] as const]) {
      from.setNoDelay(true);
      from.on("data", (bytes: Buffer) => {
        if (!to.write(bytes)) {
          from.pause();
          to.once("drain", () => this.#isCut || from.resume());
        }
      });
      from.on("end", () => to.end());
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        this.#connections.delete(ends);
      });
    }
    if (this.#isCut) {
      client.pause();
      target.pause();
    }
  }
}
