import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { HttpsServing } from "../tls/index.js";
import { acceptPlain, type Listener } from "./accept-plain.js";
import type { GrpcConnections } from "./grpc-connections.js";
import { type GrpcServerOptions, notFound } from "./grpc-server-options.js";

/** A running server of gRPC. Disposal ends its calls and closes its connections. */
export interface GrpcServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Starts a server of gRPC. grpc-js has one, too, which costs about three times the processor time a call: what is left out
 * of it here are compression and interceptors.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { tls, connections } = options;
  const { server, close } = tls === undefined ? plainListener(options) : await secureListener(options, tls);
  const accepted = await connections?.open(options, (socket) => void server.emit("connection", socket));
  return {
    port: accepted?.port ?? (await openPort(server, options)),
    async [Symbol.asyncDispose]() {
      connections?.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      close();
      await closed;
    },
  };
}

/** Opens the port. Resolves to its number. */
function openPort(server: Server, { port, host }: GrpcServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Makes a server of plain text. What speaks HTTP/2 is loaded with its first caller: the etcd that a test harness starts is
 * asked for its health, and may never get one.
 */
function plainListener(options: GrpcServerOptions): Listener {
  let loaded: Promise<GrpcConnections> | undefined;
  return acceptPlain({
    maxConnections: options.maxConnections,
    answer: (request, response) => void answerHttp1(request, response, options),
    async serveHttp2(socket) {
      loaded ??= loadConnections(options);
      const connections = await loaded;
      if (!socket.destroyed) {
        connections.serve(socket);
      }
    },
    onFault: options.onFault,
  });
}

/** Makes a server of TLS whose callers must agree to HTTP/2. */
async function secureListener(options: GrpcServerOptions, tls: HttpsServing): Promise<Listener> {
  const connections = await loadConnections(options);
  const server = createTlsServer({ ...tls.options, ALPNProtocols: ["h2"] }, (socket: TLSSocket) => {
    if (socket.alpnProtocol === "h2") {
      connections.serveTrusted(tls, socket);
    } else {
      socket.on("error", () => {});
      socket.end();
    }
  });
  tls.attach(server);
  return { server, close: () => connections.close() };
}

async function loadConnections(options: GrpcServerOptions): Promise<GrpcConnections> {
  const loaded = await import("./grpc-connections.js");
  return new loaded.GrpcConnections(options);
}

async function answerHttp1(
  request: IncomingMessage,
  response: ServerResponse,
  { answerPlain: answer, onFault }: GrpcServerOptions,
): Promise<void> {
  try {
    const { method = "", url: target = "" } = request;
    const { status, headers, body } = (await answer?.({ method, target })) ?? notFound;
    response.writeHead(status, headers);
    response.end(body);
  } catch (error) {
    onFault(error);
    response.destroy();
  }
}
