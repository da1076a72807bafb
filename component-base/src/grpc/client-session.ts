import { connect as connectPlain, isIP, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { CallTls } from "../credentials/call-tls.js";
import { Http2Connection, type Http2Stream, type StreamReceiver } from "../http2/index.js";
import { CallDeadlines } from "./call-deadlines.js";
import { GrpcCallError } from "./call-error.js";
import type { CallCarrier } from "./client-call.js";
import { grpcCode } from "./grpc-status.js";
import type { MessageInput } from "./message-codec.js";
import { frameMessage } from "./message-frames.js";
import type { Method } from "./method.js";
import { StreamCall, type StreamListener } from "./stream-call.js";
import { UnaryCall } from "./unary-call.js";

/** The place where a server listens. */
export type GrpcAddress = { readonly host: string; readonly port: number } | { readonly socketPath: string };

/** The server of a session, and limits. */
export interface ClientSessionTarget {
  readonly address: GrpcAddress;
  /** TLS material; without it, plain text. */
  readonly tls?: CallTls | undefined;
  /** Headers of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Largest message of the server in bytes. */
  readonly maxMessageBytes: number;
  /** Time in milliseconds for the connection, TLS and the server's settings. */
  readonly connectTimeoutMs: number;
  /** Time in milliseconds between pings while there are calls. */
  readonly keepaliveMs: number;
  /** Time in milliseconds within which the server has to answer a ping. */
  readonly keepaliveTimeoutMs: number;
  /** Number of calls after which no more are begun: the numbers of streams end some time. */
  readonly maxCalls: number;
}

/** The limits of a call. */
export interface SessionCallOptions {
  /** Time in milliseconds until the call fails with DEADLINE_EXCEEDED. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** Bytes that a server may send before this side has read them, and fields of an answer. */
const limits = { streamWindow: 1024 * 1024, connectionWindow: 1024 * 1024, maxListBytes: 64 * 1024 };

/** One connection of HTTP/2 to a server. It takes calls until it is lost, or the server wants no more. */
export class ClientSession implements CallCarrier {
  readonly maxMessageBytes: number;
  /** Resolves when no more calls can be begun, with the reason if there is one. */
  readonly retired: Promise<Error | undefined>;
  readonly #connection: Http2Connection;
  readonly #target: ClientSessionTarget;
  readonly #head: readonly string[];
  /** The heads of calls by the path of their method. */
  readonly #heads = new Map<string, readonly string[]>();
  readonly #deadlines = new CallDeadlines();
  readonly #ready: (error: Error | undefined) => void;
  #pings: NodeJS.Timeout | undefined;
  #openCalls = 0;
  #callsLeft: number;
  #isLost = false;
  #isRetired = false;
  #retire: (reason: Error | undefined) => void = () => {};
  #failure: Error | undefined;
  /** The last stream that the server has taken notice of, once it has said that it takes no more. */
  #lastStreamId = Number.POSITIVE_INFINITY;

  /** Connects to a server. Resolves when it has shown that it speaks HTTP/2; rejects with the reason why it does not. */
  static open(target: ClientSessionTarget): Promise<ClientSession> {
    return new Promise((resolve, reject) => {
      const session: ClientSession = new ClientSession(target, (error) => {
        clearTimeout(timer);
        if (error === undefined) {
          resolve(session);
        } else {
          reject(error);
        }
      });
      const timer = setTimeout(
        () => session.#connection.destroy(new Error("the server did not answer in time")),
        target.connectTimeoutMs,
      );
    });
  }

  private constructor(target: ClientSessionTarget, ready: (error: Error | undefined) => void) {
    this.#target = target;
    this.#ready = ready;
    this.#callsLeft = target.maxCalls;
    this.maxMessageBytes = target.maxMessageBytes;
    this.retired = new Promise((resolve) => {
      this.#retire = resolve;
    });
    const { scheme, authority, socket } = openSocket(target);
    this.#head = [
      ...[":method", "POST", ":scheme", scheme, ":authority", authority],
      ...["content-type", "application/grpc", "te", "trailers"],
      ...Object.entries(target.headers ?? {}).flatMap(([name, value]) => [name.toLowerCase(), value]),
    ];
    this.#connection = new Http2Connection(socket, {
      limits,
      listener: {
        onReady: () => this.#begin(),
        onGoaway: (lastStreamId) => {
          this.#lastStreamId = lastStreamId;
          this.#retireNow(new Error("the server takes no more calls"));
        },
        onClose: (error) => this.#end(error),
      },
    });
  }

  /** Calls a method with one request and one answer. Rejects with GrpcCallError, or with the reason of the signal. */
  call<Request, Response>(
    method: Method<Request, Response>,
    request: MessageInput<Request>,
    { deadlineMs, signal }: SessionCallOptions,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const message = frameMessage(method.requestSerialize(request));
      const call = new UnaryCall<Response>(this, {
        endsAtMs: performance.now() + deadlineMs,
        deadlines: this.#deadlines,
        decode: method.responseDeserialize,
        outcome: { resolve, reject },
      });
      const stream = this.#openStream(method.path, ["grpc-timeout", `${Math.ceil(deadlineMs)}m`], call.receiver);
      call.begin(stream);
      stream.end(message);
      if (signal !== undefined) {
        const onAbort = (): void => call.abort(signal.reason);
        signal.addEventListener("abort", onAbort, { once: true });
        call.whenOver(() => signal.removeEventListener("abort", onAbort));
      }
    });
  }

  /** Opens a call with streams in both directions. Throws GrpcCallError if the connection takes no more calls. */
  openStream<Request, Response>(
    method: Method<Request, Response>,
    listener: StreamListener<Response>,
  ): StreamCall<Request, Response> {
    const call = new StreamCall<Request, Response>(this, { method, listener });
    call.begin(this.#openStream(method.path, [], call.receiver));
    return call;
  }

  lossOf(stream: Http2Stream): GrpcCallError | undefined {
    const isUnsent = stream.id > this.#lastStreamId;
    if (!isUnsent && !this.#isLost) {
      return undefined;
    }
    const cause = this.#failure;
    const details = cause === undefined ? "Connection dropped" : `Connection dropped: ${cause.message}`;
    return new GrpcCallError(grpcCode.unavailable, details, { isUnsent, cause });
  }

  callClosed(): void {
    this.#openCalls--;
    this.#closeIfIdle();
  }

  /** Begins no more calls, and closes the connection when those that are under way have ended. */
  close(): void {
    this.#retireNow(undefined);
  }

  #openStream(path: string, fields: readonly string[], receiver: StreamReceiver): Http2Stream {
    if (this.#isRetired || this.#connection.isClosed) {
      throw new GrpcCallError(grpcCode.unavailable, "Connection dropped", { isUnsent: true, cause: this.#failure });
    }
    const stream = this.#connection.request([...this.#headOf(path), ...fields], false, receiver);
    if (this.#openCalls++ === 0) {
      this.#connection.ref();
    }
    if (--this.#callsLeft <= 0) {
      this.#retireNow(undefined);
    }
    return stream;
  }

  #headOf(path: string): readonly string[] {
    let head = this.#heads.get(path);
    if (head === undefined) {
      head = [":path", path, ...this.#head];
      this.#heads.set(path, head);
    }
    return head;
  }

  /** Goes on when the server has shown that it speaks HTTP/2. */
  #begin(): void {
    this.#pings = setInterval(() => this.#ping(), this.#target.keepaliveMs).unref();
    this.#connection.unref();
    this.#ready(undefined);
  }

  #closeIfIdle(): void {
    if (this.#openCalls > 0) {
      return;
    }
    if (this.#isRetired) {
      this.#connection.close();
    } else {
      this.#connection.unref();
    }
  }

  /** Begins no more calls. The connection is closed only after the last one. */
  #retireNow(reason: Error | undefined): void {
    if (!this.#isRetired) {
      this.#isRetired = true;
      this.#retire(reason);
      this.#closeIfIdle();
    }
  }

  #end(error: Error | undefined): void {
    this.#isLost = true;
    this.#failure ??= error;
    clearInterval(this.#pings);
    this.#ready(error ?? new Error("the server closed the connection"));
    this.#retireNow(this.#failure);
  }

  #ping(): void {
    if (this.#openCalls === 0 || this.#isLost) {
      return;
    }
    const lost = (): void => this.#connection.destroy(new Error("the server does not answer pings"));
    const timer = setTimeout(lost, this.#target.keepaliveTimeoutMs).unref();
    this.#connection.ping(() => clearTimeout(timer));
  }
}

/** The socket of a session, and how the server is named on it. */
interface OpenedSocket {
  readonly scheme: "http" | "https";
  readonly authority: string;
  readonly socket: Socket;
}

function openSocket({ address, tls }: ClientSessionTarget): OpenedSocket {
  if ("socketPath" in address) {
    return { scheme: "http", authority: "localhost", socket: connectPlain({ path: address.socketPath }) };
  }
  const { host, port } = address;
  const target: TcpNetConnectOpts = { host, port, noDelay: true };
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return tls === undefined
    ? { scheme: "http", authority, socket: connectPlain(target) }
    : { scheme: "https", authority, socket: openTls(target, tls) };
}

function openTls(target: TcpNetConnectOpts, { certificateAuthorityPem, clientCertificate }: CallTls): TLSSocket {
  const { host = "" } = target;
  const socket = connectTls({
    ...target,
    host,
    ALPNProtocols: ["h2"],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(certificateAuthorityPem === undefined ? {} : { ca: certificateAuthorityPem }),
    ...(clientCertificate === undefined
      ? {}
      : { cert: clientCertificate.certificatePem, key: clientCertificate.keyPem }),
  });
  socket.once("secureConnect", () => {
    if (socket.alpnProtocol !== "h2") {
      socket.destroy(new Error("the server does not speak HTTP/2"));
    }
  });
  return socket;
}
