import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { GrpcStatusError, grpcCode } from "../grpc/grpc-status.js";
import {
  errorCode,
  fieldValue,
  Http2Connection,
  type Http2Stream,
  noReceiver,
  type Serving,
  type StreamReceiver,
} from "../http2/index.js";
import type { CertificateCaller, HttpsServing } from "../tls/index.js";
import { acceptPlain } from "./accept-plain.js";
import type { GrpcRoute } from "./grpc-service.js";
import { isGrpc, refuseCall, serveCall } from "./serve-call.js";

/** Options of a server of gRPC. */
export interface GrpcServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The TLS to serve with; without it, plain text. */
  readonly tls?: HttpsServing | undefined;
  /** The routes, or a function that loads them; it is called with the first call, once. */
  readonly routes: readonly GrpcRoute[] | (() => Promise<readonly GrpcRoute[]>);
  /** Largest message of a caller in bytes. */
  readonly maxMessageBytes: number;
  /** Connections that may be open; others are closed at once. */
  readonly maxConnections: number;
  /** Calls that a connection may have open at a time. */
  readonly maxStreamsPerConnection: number;
  /** The source of connections where somebody else accepts them; the server opens no port then. */
  readonly connections?: AcceptedConnections | undefined;
  /** Called with what a handler has thrown that is no status. */
  readonly onFault: (error: unknown) => void;
  /**
   * Answers requests that are not of gRPC: the path, to a body of JSON; undefined for what is not found. They come over
   * HTTP/2, and without TLS over HTTP/1.1 as well.
   */
  readonly answerGet?: (path: string) => Promise<string | undefined>;
}

/** Connections that are accepted outside of the server. */
export interface AcceptedConnections {
  /** Hands every connection to `take` from now on. Resolves to the port. Rejects when it cannot be opened. */
  open(
    address: { readonly host: string; readonly port: number },
    take: (connection: Socket) => void,
  ): Promise<{ readonly port: number }>;
  /** Takes no further connections. */
  stop(): void;
}

/** A running server of gRPC. Disposal ends its calls and closes its connections. */
export interface GrpcServer extends AsyncDisposable {
  readonly port: number;
}

/** Bytes that a caller may send before the server has read them, and fields of a request. */
const limits = { streamWindow: 2 ** 20, connectionWindow: 2 ** 20, maxListBytes: 2 ** 16 };
/** Milliseconds that a caller may be silent before its first frame. */
const firstFrameMs = 10_000;
/** Bytes of answers that wait for a caller; a call more is refused beyond that. */
const maxPendingBytes = 64 * 2 ** 20;

/**
 * Starts a server of gRPC. grpc-js has one, too, which costs about three times the processor time a call: what is left out
 * of it here are compression and interceptors.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { tls } = options;
  const calls = new Calls(options);
  const connections = new Set<Http2Connection>();
  const open = (socket: Socket, serving: Serving): void => {
    if (connections.size >= options.maxConnections) {
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    const silence = setTimeout(() => connection.destroy(new Error("the caller is silent")), firstFrameMs).unref();
    const connection = new Http2Connection(socket, {
      limits,
      serving,
      listener: {
        onReady: () => clearTimeout(silence),
        onClose() {
          clearTimeout(silence);
          connections.delete(connection);
        },
      },
    });
    connections.add(connection);
  };
  const common = { maxStreams: options.maxStreamsPerConnection, maxPendingBytes };
  const plain =
    tls === undefined
      ? acceptPlain(
          (socket) => open(socket, { ...common, accept: (stream, fields) => calls.serve(stream, fields) }),
          options.maxConnections,
          (request, response) => void answerPlainGet(request, response, options),
        )
      : undefined;
  const server: Server =
    tls === undefined
      ? (plain?.server as Server)
      : secureServer(tls, (socket) =>
          open(socket, { ...common, accept: (stream, fields) => calls.serveTrusted(tls, socket, stream, fields) }),
        );
  const accepted = await options.connections?.open(options, (socket) => void server.emit("connection", socket));
  return {
    port: accepted?.port ?? (await openPort(server, options)),
    async [Symbol.asyncDispose]() {
      options.connections?.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) {
        connection.destroy();
      }
      plain?.endOthers();
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

/** Makes a server of TLS whose callers must agree to HTTP/2. */
function secureServer(tls: HttpsServing, open: (socket: TLSSocket) => void): Server {
  const server = createTlsServer({ ...tls.options, ALPNProtocols: ["h2"] }, (socket) => {
    if (socket.alpnProtocol === "h2") {
      open(socket);
    } else {
      socket.on("error", () => {});
      socket.end();
    }
  });
  tls.attach(server);
  return server;
}

/** The routes that answer the calls of a server, loaded with the first call. */
class Calls {
  readonly #options: GrpcServerOptions;
  #routes: Routes | undefined;
  #loading: Promise<Routes> | undefined;

  constructor(options: GrpcServerOptions) {
    this.#options = options;
    this.#routes = typeof options.routes === "function" ? undefined : routesByPath(options.routes);
  }

  /** Serves a call of a caller whose certificate has to be trusted. */
  serveTrusted(
    { identifyCaller }: HttpsServing,
    socket: TLSSocket,
    stream: Http2Stream,
    fields: readonly string[],
  ): StreamReceiver {
    const serve = ({ outcome }: CertificateCaller): StreamReceiver =>
      outcome === "trusted"
        ? this.serve(stream, fields)
        : refuseCall(stream, new GrpcStatusError(grpcCode.unauthenticated, "the client certificate is not trusted"));
    const caller = identifyCaller(socket);
    return caller instanceof Promise ? later(stream, caller.then(serve)) : serve(caller);
  }

  serve(stream: Http2Stream, fields: readonly string[]): StreamReceiver {
    if (!isGrpc(fields)) {
      void answerGet(stream, fields, this.#options);
      return noReceiver;
    }
    const path = fieldValue(fields, ":path") as string;
    return this.#routes === undefined
      ? later(stream, this.#serveWhenLoaded(stream, path))
      : this.#serveRoute(this.#routes, stream, path);
  }

  async #serveWhenLoaded(stream: Http2Stream, path: string): Promise<StreamReceiver> {
    try {
      this.#loading ??= loadRoutes(this.#options);
      this.#routes = await this.#loading;
    } catch (error) {
      this.#options.onFault(error);
      return refuseCall(stream, new GrpcStatusError(grpcCode.internal, "the methods cannot be loaded"));
    }
    return stream.isClosed ? noReceiver : this.#serveRoute(this.#routes, stream, path);
  }

  #serveRoute(loaded: Routes, stream: Http2Stream, path: string): StreamReceiver {
    const route = loaded.get(path);
    return route === undefined
      ? refuseCall(stream, new GrpcStatusError(grpcCode.unimplemented, `unknown method ${path}`))
      : serveCall(route, stream, this.#options);
  }
}

/** Leaves a stream undelivered until its receiver is known. */
function later(stream: Http2Stream, receiver: Promise<StreamReceiver>): StreamReceiver {
  stream.pause();
  void receiver.then((known) => {
    stream.receiver = known;
    if (stream.isClosed) {
      known.onClose(stream.resetCode);
    } else {
      stream.resume();
    }
  });
  return noReceiver;
}

type Routes = ReadonlyMap<string, GrpcRoute>;

function routesByPath(routes: readonly GrpcRoute[]): Routes {
  return new Map(routes.map((route) => [route.path, route]));
}

async function loadRoutes({ routes }: GrpcServerOptions): Promise<Routes> {
  return routesByPath(typeof routes === "function" ? await routes() : routes);
}

async function answerGet(
  stream: Http2Stream,
  fields: readonly string[],
  { answerGet: answer, onFault }: GrpcServerOptions,
): Promise<void> {
  try {
    const isGet = fieldValue(fields, ":method") === "GET";
    const body = isGet ? await answer?.(fieldValue(fields, ":path") as string) : undefined;
    stream.respond([":status", body === undefined ? "404" : "200", "content-type", "application/json"], false);
    stream.end(Buffer.from(body ?? ""));
  } catch (error) {
    onFault(error);
    stream.reset(errorCode.internalError);
  }
}

async function answerPlainGet(
  request: IncomingMessage,
  response: ServerResponse,
  { answerGet: answer, onFault }: GrpcServerOptions,
): Promise<void> {
  try {
    const body = request.method === "GET" ? await answer?.(request.url ?? "") : undefined;
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(body ?? "");
  } catch (error) {
    onFault(error);
    response.destroy();
  }
}
