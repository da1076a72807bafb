import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { GrpcStatusError, grpcCode } from "../grpc/grpc-status.js";
import type { HttpsServing } from "../tls/index.js";
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
  /** Called with what a handler has thrown that is no status. */
  readonly onFault: (error: unknown) => void;
  /**
   * Answers requests that are not of gRPC: the path, to a body of JSON; undefined for what is not found. They come over
   * HTTP/2, and without TLS over HTTP/1.1 as well.
   */
  readonly answerGet?: (path: string) => Promise<string | undefined>;
}

/** A running server of gRPC. Disposal ends its calls and closes its connections. */
export interface GrpcServer extends AsyncDisposable {
  readonly port: number;
}

/** Bytes that a caller may send before the server has read them. */
const windowBytes = 2 ** 20;
/** Memory of a connection in MB; a stream more is refused beyond that. */
const maxSessionMegabytes = 64;

/**
 * Starts a server of gRPC on the HTTP/2 of Node. grpc-js has a server, too, which costs about twice the processor time a
 * call: what is left out of it here are compression and interceptors.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  let routes: Routes | undefined = typeof options.routes === "function" ? undefined : routesByPath(options.routes);
  let loading: Promise<Routes> | undefined;
  const settings = { maxConcurrentStreams: options.maxStreamsPerConnection, initialWindowSize: windowBytes };
  const common = { settings, maxSessionMemory: maxSessionMegabytes };
  const { tls } = options;
  const server: Http2Server | Http2SecureServer =
    tls === undefined ? createServer(common) : createSecureServer({ ...common, ...tls.options });
  if (tls !== undefined) {
    tls.attach(server as Http2SecureServer);
  }
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session: ServerHttp2Session) => {
    session.on("error", () => {});
    if (sessions.size >= options.maxConnections) {
      session.destroy();
      return;
    }
    session.setLocalWindowSize(windowBytes);
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  server.on("sessionError", () => {});
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on("error", ignore);
    if (tls === undefined) {
      serve(stream, headers);
    } else {
      void serveTrusted(tls, stream, headers);
    }
  });

  async function serveTrusted(
    { identifyCaller }: HttpsServing,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
  ): Promise<void> {
    const callers = identifyCaller(stream.session?.socket as never);
    const caller = callers instanceof Promise ? await callers : callers;
    if (caller.outcome === "trusted") {
      serve(stream, headers);
    } else {
      refuseCall(stream, new GrpcStatusError(grpcCode.unauthenticated, "the client certificate is not trusted"));
    }
  }

  function serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const path = headers[":path"] as string;
    if (!isGrpc(headers)) {
      void answerGet(stream, headers, options);
      return;
    }
    if (routes === undefined) {
      void serveWhenLoaded(stream, path);
    } else {
      serveRoute(routes, stream, path);
    }
  }

  async function serveWhenLoaded(stream: ServerHttp2Stream, path: string): Promise<void> {
    try {
      loading ??= loadRoutes(options);
      routes = await loading;
    } catch (error) {
      options.onFault(error);
      refuseCall(stream, new GrpcStatusError(grpcCode.internal, "the methods cannot be loaded"));
      return;
    }
    if (!stream.destroyed) {
      serveRoute(routes, stream, path);
    }
  }

  function serveRoute(loaded: Routes, stream: ServerHttp2Stream, path: string): void {
    const route = loaded.get(path);
    if (route === undefined) {
      refuseCall(stream, new GrpcStatusError(grpcCode.unimplemented, `unknown method ${path}`));
      return;
    }
    serveCall(route, stream, options);
  }

  const plain =
    tls === undefined
      ? acceptPlain(server as Http2Server, options.maxConnections, (request, response) => {
          void answerPlainGet(request, response, options);
        })
      : undefined;
  const listener: Server = plain?.server ?? server;
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(options.port, options.host, () => {
      listener.off("error", reject);
      resolve();
    });
  });
  return {
    port: (listener.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const session of sessions) {
        session.destroy();
      }
      plain?.endOthers();
      await closed;
    },
  };
}

type Routes = ReadonlyMap<string, GrpcRoute>;

function routesByPath(routes: readonly GrpcRoute[]): Routes {
  return new Map(routes.map((route) => [route.path, route]));
}

async function loadRoutes({ routes }: GrpcServerOptions): Promise<Routes> {
  return routesByPath(typeof routes === "function" ? await routes() : routes);
}

function ignore(): void {}

async function answerGet(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { answerGet: answer, onFault }: GrpcServerOptions,
): Promise<void> {
  try {
    const body = headers[":method"] === "GET" ? await answer?.(headers[":path"] as string) : undefined;
    if (!stream.destroyed) {
      stream.respond({ ":status": body === undefined ? 404 : 200, "content-type": "application/json" });
      stream.end(body ?? "");
    }
  } catch (error) {
    onFault(error);
    stream.close();
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
