import type { Socket } from "node:net";
import type { HttpsServing } from "../tls/index.js";
import type { GrpcRoute } from "./grpc-service.js";

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
  /** Answers requests that are not of gRPC. They come over HTTP/2, and without TLS over HTTP/1.1 as well. Default: 404. */
  readonly answerPlain?: (request: PlainRequest) => Promise<PlainAnswer>;
}

/** A request that is not of gRPC. Its body is not read. */
export interface PlainRequest {
  readonly method: string;
  /** The path with its query. */
  readonly target: string;
}

/** The answer to a request that is not of gRPC. */
export interface PlainAnswer {
  readonly status: number;
  /** Names of fields in lower case, and their values. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer where no function answers. */
export const notFound: PlainAnswer = { status: 404, headers: {}, body: "" };

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
