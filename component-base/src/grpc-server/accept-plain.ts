import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server, type Socket } from "node:net";

/** Beginning of every connection of HTTP/2 (RFC 9113, section 3.4), as far as it differs from any method of HTTP/1.1. */
const http2Beginning = Buffer.from("PRI * HTTP/2.0\r\n");

/** Milliseconds that a client may be silent before its first bytes, and with HTTP/1.1 at any time. */
const idleMs = 10_000;

/** Limits and receivers of the connections of a server of plain text. */
export interface PlainServing {
  readonly maxConnections: number;
  /** Answers a request of HTTP/1.1; the connection is closed after it. */
  readonly answer: RequestListener;
  /** Takes a connection of HTTP/2. Data flows once it has resolved. */
  readonly serveHttp2: (socket: Socket) => Promise<void>;
  /** Called with what `serveHttp2` has rejected with; the connection is closed. */
  readonly onFault: (error: unknown) => void;
}

/** A server that does not listen yet. */
export interface Listener {
  readonly server: Server;
  /** Ends all connections. */
  readonly close: () => void;
}

/**
 * Makes a server of plain text whose connections are of HTTP/2 or of HTTP/1.1, which their first bytes tell: callers of gRPC
 * speak the one, probes of `/health` the other.
 */
export function acceptPlain({ maxConnections, answer, serveHttp2, onFault }: PlainServing): Listener {
  const http1 = createHttpServer((request, response) => {
    response.setHeader("connection", "close");
    answer(request, response);
  });
  http1.setTimeout(idleMs);
  const server = createServer(sort);
  server.maxConnections = maxConnections;
  const open = new Set<Socket>();
  return {
    server,
    close() {
      for (const socket of open) {
        socket.destroy();
      }
    },
  };

  function sort(socket: Socket): void {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    const beginning: Buffer[] = [];
    const end = (): void => void socket.destroy();
    const onData = (bytes: Buffer): void => {
      beginning.push(bytes);
      const read = Buffer.concat(beginning);
      const isHttp2 = http2Beginning.subarray(0, read.length).equals(read.subarray(0, http2Beginning.length));
      if (isHttp2 && read.length < http2Beginning.length) {
        return;
      }
      socket.off("data", onData).off("timeout", end);
      socket.setTimeout(0);
      socket.pause();
      socket.unshift(read);
      if (isHttp2) {
        void handOver(socket);
      } else {
        http1.emit("connection", socket);
        socket.resume();
      }
    };
    socket.setTimeout(idleMs);
    // An error while nobody else listens.
    socket.on("data", onData).on("error", end).on("timeout", end);
  }

  async function handOver(socket: Socket): Promise<void> {
    try {
      await serveHttp2(socket);
      socket.resume();
    } catch (error) {
      onFault(error);
      socket.destroy();
    }
  }
}
