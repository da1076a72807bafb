import type { AddressInfo, Socket } from "node:net";
import { createServer, type SecureContext, type SecureContextOptions, type Server } from "node:tls";
import { listenHost } from "@gatehouse/component-base/addresses";
import { keepUntrustedPeer } from "@gatehouse/component-base/tls";
import type { Handler } from "../request/handler.js";
import type { ConnectionSource } from "./connection-source.js";
import { serveHttp1 } from "./http1-server.js";
import { Http2ServerConnection } from "./http2-server-connection.js";

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
  });
  const sockets = new Set<Socket>();
  const open = new Set<{ refuseMore(): void }>();
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    keepUntrustedPeer(socket);
    socket.setNoDelay(true);
    socket.once("close", () => sockets.delete(socket));
    // A broken connection is the client's affair; without a listener it would end the process.
    socket.on("error", () => socket.destroy());
    const served =
      socket.alpnProtocol === "h2"
        ? new Http2ServerConnection(socket, { handler, maxStreams, idleTimeoutMs })
        : serveHttp1(socket, handler, idleTimeoutMs);
    open.add(served);
    socket.once("close", () => open.delete(served));
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
      return closeServer(server, sockets, open, graceMs);
    },
  };
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
    const options = { port, host: listenHost(host), ...(sharesPort === true ? { reusePort: true } : {}) };
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
  open: ReadonlySet<{ refuseMore(): void }>,
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
    for (const connection of open) {
      connection.refuseMore();
    }
  });
}

function allClosed(sockets: ReadonlySet<Socket>): Promise<unknown> {
  return Promise.all(Array.from(sockets, (socket) => new Promise((resolve) => socket.once("close", resolve))));
}
