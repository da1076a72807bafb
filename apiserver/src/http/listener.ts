import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { SecureContext, SecureContextOptions, TLSSocket } from "node:tls";
import type { Handler } from "../request/handler.js";
import type { ConnectionSource } from "./connection-source.js";
import { serveHttp1 } from "./http1-server.js";
import { Http2ServerConnection, maxHeaderBytes } from "./http2-server-connection.js";

/** The address and TLS settings of a port, and the handler of its requests. */
export interface ListenerOptions {
  readonly host: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
  readonly secureContext: SecureContextOptions;
  /** Returns the context for a name that a client asks for; undefined for the one above. */
  readonly contextFor?: ((name: string) => SecureContext | undefined) | undefined;
  /** True if other processes may open the same port (SO_REUSEPORT). */
  readonly sharesPort?: boolean | undefined;
  /** True if clients are asked for a certificate; the authenticator decides whether it is good. */
  readonly requestClientCertificate: boolean;
  /** The limit of concurrent streams per connection; 0 means 100, as in v1.29. */
  readonly http2MaxStreamsPerConnection: number;
  readonly handler: Handler;
  /** Called when a connection cannot be accepted, for example for want of file descriptors. The server goes on. */
  readonly onError: (error: Error) => void;
  /** Called when a client and the server do not agree on TLS. */
  readonly onHandshakeError?: () => void;
  /** The time in milliseconds after which a connection without requests is closed; 90 s by default, as in v1.29. */
  readonly idleTimeoutMs?: number;
  /** The source of connections where another process accepts them; this one opens no port then. */
  readonly connections?: ConnectionSource | undefined;
}

/** A port that is open until it is closed. */
export interface Listener {
  readonly server: Server;
  readonly port: number;
  /** Stops taking connections, lets requests end, then closes what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** v1.29's default, small since streams that are opened and reset at once cost the server most (CVE-2023-44487). */
const defaultMaxStreams = 100;
const defaultIdleTimeoutMs = 90_000;
/** The interval of TCP keep-alive probes in milliseconds, as in v1.29: watches can be silent for long. */
const keepAliveProbeMs = 180_000;

/** Opens the secure port: TLS with HTTP/1.1 and HTTP/2 by ALPN. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { handler, contextFor, idleTimeoutMs = defaultIdleTimeoutMs } = options;
  const maxStreams = options.http2MaxStreamsPerConnection || defaultMaxStreams;
  const server = createServer({
    minVersion: "TLSv1.2",
    ...options.secureContext,
    ...(contextFor === undefined ? {} : { SNICallback: showCertificateFor(contextFor) }),
    ALPNProtocols: ["h2", "http/1.1"],
    requestCert: options.requestClientCertificate,
    rejectUnauthorized: false,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveProbeMs,
    keepAliveTimeout: idleTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    // Refused with the words of Go's server instead.
    requireHostHeader: false,
  });
  serveHttp1(server, handler);
  const sockets = new Set<Socket>();
  const http2Connections = new Set<Http2ServerConnection>();
  const openHttp1 = takeConnections(server);
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once("close", () => sockets.delete(socket));
    if (socket.alpnProtocol === "h2") {
      const connection = new Http2ServerConnection(socket, { handler, maxStreams, idleTimeoutMs });
      http2Connections.add(connection);
      socket.once("close", () => http2Connections.delete(connection));
      return;
    }
    openHttp1(socket);
    // With somebody listening Node parses what it has read in JavaScript. What it parses natively it loses, and cuts the
    // connection off (HPE_PAUSED), when a request in several TLS records comes before the last answer is written out.
    socket.on("data", ignore);
    // A broken connection is the client's affair; without a listener it would end the process.
    socket.on("error", () => socket.destroy());
  });
  server.on("tlsClientError", (_error, socket) => {
    options.onHandshakeError?.();
    socket.destroy();
  });
  const { connections } = options;
  const port = await (connections === undefined ? openPort(server, options) : follow(connections, server, options));
  return {
    server,
    port,
    close(graceMs) {
      connections?.stop();
      return closeServer(server, sockets, http2Connections, graceMs);
    },
  };
}

/** Takes the place of Node's server, which reads HTTP/1.1 from any connection. Returns what opens one to it. */
function takeConnections(server: Server): (socket: TLSSocket) => void {
  const [open] = server.listeners("secureConnection") as ((this: Server, socket: TLSSocket) => void)[];
  if (open === undefined) {
    throw new TypeError("Node's server does not listen to its connections");
  }
  server.removeListener("secureConnection", open);
  return open.bind(server);
}

/** Returns the function by which Node asks for the certificate of a name. */
function showCertificateFor(
  contextFor: (name: string) => SecureContext | undefined,
): (name: string, done: (error: Error | null, context?: SecureContext) => void) => void {
  return (name, done) => done(null, contextFor(name));
}

/** Opens the port. Resolves to its number. */
function openPort(server: Server, { port, host, onError, sharesPort }: ListenerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // The option is newer than the types of Node; where it is not known, it is refused before.
    const options = { port, host, ...(sharesPort === true ? { reusePort: true } : {}) };
    server.listen(options, () => {
      server.off("error", reject);
      server.on("error", onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Serves the connections that another process accepts. Resolves to the number of their port. */
async function follow(
  connections: ConnectionSource,
  server: Server,
  { port: wanted, host, onError }: ListenerOptions,
): Promise<number> {
  server.on("error", onError);
  const { port, ticketKeys } = await connections.open({ host, port: wanted }, (connection) => {
    // The server does so with those that it accepts itself.
    connection.setKeepAlive(true, keepAliveProbeMs);
    server.emit("connection", connection);
  });
  server.setTicketKeys(ticketKeys);
  return port;
}

function closeServer(
  server: Server,
  sockets: ReadonlySet<Socket>,
  http2Connections: ReadonlySet<Http2ServerConnection>,
  graceMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const socket of sockets) {
        socket.destroy();
      }
    }, graceMs);
    const ended = (): void => {
      clearTimeout(timer);
      resolve();
    };
    // A server without a port of its own is closed at once, and knows nothing of its connections.
    server.close((error) => (error === undefined ? ended() : void allClosed(sockets).then(ended)));
    for (const connection of http2Connections) {
      connection.refuseMore();
    }
    for (const socket of sockets) {
      closeWhenIdle(socket);
    }
  });
}

function allClosed(sockets: ReadonlySet<Socket>): Promise<unknown> {
  return Promise.all(Array.from(sockets, (socket) => new Promise((resolve) => socket.once("close", resolve))));
}

/** The answer under way on a connection, as Node keeps it; `_last` closes the connection at its end. */
interface AnswerUnderWay {
  shouldKeepAlive: boolean;
  _last: boolean;
}

/** Closes an HTTP/1.1 keep-alive connection when it is idle, at once or after its answer: it would hold the server open. */
function closeWhenIdle(socket: Socket & { _httpMessage?: AnswerUnderWay | null }): void {
  if ((socket as { alpnProtocol?: string }).alpnProtocol === "h2") {
    return;
  }
  const answer = socket._httpMessage;
  if (answer == null) {
    socket.end();
    return;
  }
  answer.shouldKeepAlive = false;
  answer._last = true;
}

function ignore(): void {}
