import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server, type Socket } from "node:net";

/** Beginning of every connection of HTTP/2 (RFC 9113, section 3.4), as far as it differs from any method of HTTP/1.1. */
const http2Beginning = Buffer.from("PRI * HTTP/2.0\r\n");

/** Milliseconds that a client may be silent before its first bytes, and with HTTP/1.1 at any time. */
const idleMs = 10_000;

/** A server whose connections are of HTTP/2 or of HTTP/1.1. */
export interface PlainListener {
  readonly server: Server;
  /** Ends the connections that are not of HTTP/2. */
  readonly endOthers: () => void;
}

/**
 * Makes a server of plain text whose connections are of HTTP/2 or of HTTP/1.1, which their first bytes tell: callers of gRPC
 * speak the one, probes of `/health` the other. Connections of HTTP/1.1 are answered by `answer` and closed after a request.
 */
export function acceptPlain(
  onHttp2: (socket: Socket) => void,
  maxConnections: number,
  answer: RequestListener,
): PlainListener {
  const http1 = createHttpServer((request, response) => {
    response.setHeader("connection", "close");
    answer(request, response);
  });
  http1.setTimeout(idleMs);
  const server = createServer(sort);
  server.maxConnections = maxConnections;
  const others = new Set<Socket>();
  return {
    server,
    endOthers() {
      for (const socket of others) {
        socket.destroy();
      }
    },
  };

  function sort(socket: Socket): void {
    others.add(socket);
    socket.once("close", () => others.delete(socket));
    const beginning: Buffer[] = [];
    const end = (): void => void socket.destroy();
    const onData = (bytes: Buffer): void => {
      beginning.push(bytes);
      const read = Buffer.concat(beginning);
      const isHttp2 = http2Beginning.subarray(0, read.length).equals(read.subarray(0, http2Beginning.length));
      if (isHttp2 && read.length < http2Beginning.length) {
        return;
      }
      socket.off("data", onData).off("error", end).off("timeout", end);
      socket.setTimeout(0);
      socket.pause();
      socket.unshift(read);
      if (isHttp2) {
        others.delete(socket);
        onHttp2(socket);
      } else {
        http1.emit("connection", socket);
      }
      socket.resume();
    };
    socket.setTimeout(idleMs);
    socket.on("data", onData).on("error", end).on("timeout", end);
  }
}
