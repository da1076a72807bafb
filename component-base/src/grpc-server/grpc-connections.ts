import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
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
import { type GrpcServerOptions, notFound } from "./grpc-server-options.js";
import type { GrpcRoute } from "./grpc-service.js";
import { isGrpc, refuseCall, serveCall } from "./serve-call.js";

/** Bytes that a caller may send before the server has read them, and fields of a request. */
const limits = { streamWindow: 2 ** 20, connectionWindow: 2 ** 20, maxListBytes: 2 ** 16 };
/** Milliseconds that a caller may be silent before its first frame. */
const firstFrameMs = 10_000;
/** Bytes of answers that wait for a caller; a call more is refused beyond that. */
const maxPendingBytes = 64 * 2 ** 20;

/** The connections of a server over which gRPC is spoken. */
export class GrpcConnections {
  readonly #options: GrpcServerOptions;
  readonly #calls: Calls;
  readonly #open = new Set<Http2Connection>();

  constructor(options: GrpcServerOptions) {
    this.#options = options;
    this.#calls = new Calls(options);
  }

  /** Serves the calls of a connection. */
  serve(socket: Socket): void {
    this.#add(socket, (stream, fields) => this.#calls.serve(stream, fields));
  }

  /** Serves the calls of a connection whose caller has to show a certificate that is trusted. */
  serveTrusted(tls: HttpsServing, socket: TLSSocket): void {
    this.#add(socket, (stream, fields) => this.#calls.serveTrusted(tls, socket, stream, fields));
  }

  #add(socket: Socket, accept: Serving["accept"]): void {
    const { maxConnections, maxStreamsPerConnection: maxStreams } = this.#options;
    if (this.#open.size >= maxConnections) {
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    const silence = setTimeout(() => connection.destroy(new Error("the caller is silent")), firstFrameMs).unref();
    const connection: Http2Connection = new Http2Connection(socket, {
      limits,
      serving: { maxStreams, maxPendingBytes, accept },
      listener: {
        onReady: () => clearTimeout(silence),
        onClose: () => {
          clearTimeout(silence);
          this.#open.delete(connection);
        },
      },
    });
    this.#open.add(connection);
  }

  /** Ends all calls and closes all connections. */
  close(): void {
    for (const connection of this.#open) {
      connection.destroy();
    }
  }
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
      void answerPlain(stream, fields, this.#options);
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

async function answerPlain(
  stream: Http2Stream,
  fields: readonly string[],
  { answerPlain: answer, onFault }: GrpcServerOptions,
): Promise<void> {
  try {
    const request = { method: fieldValue(fields, ":method") ?? "", target: fieldValue(fields, ":path") ?? "" };
    const { status, headers, body } = (await answer?.(request)) ?? notFound;
    stream.respond([":status", String(status), ...Object.entries(headers).flat()], false);
    stream.end(Buffer.from(request.method === "HEAD" ? "" : body));
  } catch (error) {
    onFault(error);
    stream.reset(errorCode.internalError);
  }
}
