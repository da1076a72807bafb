import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionOptions,
  connect as connectHttp2,
  type OutgoingHttpHeaders,
} from "node:http2";
import { connect as connectPlain, isIP, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { CallTls } from "../credentials/call-tls.js";
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

/** Bytes that a server may send before this side has read them. */
const windowBytes = 1024 * 1024;

/** One connection of HTTP/2 to a server. It takes calls until it is lost, or the server wants no more. */
export class ClientSession implements CallCarrier {
  readonly maxMessageBytes: number;
  /** Resolves when no more calls can be begun, with the reason if there is one. */
  readonly retired: Promise<Error | undefined>;
  readonly #session: ClientHttp2Session;
  readonly #target: ClientSessionTarget;
  readonly #headers: OutgoingHttpHeaders;
  readonly #deadlines = new CallDeadlines();
  readonly #pings: NodeJS.Timeout;
  #openCalls = 0;
  #callsLeft: number;
  #isRetired = false;
  #retire: (reason: Error | undefined) => void = () => {};
  #failure: Error | undefined;
  /** The last stream that the server has taken notice of, once it has said that it takes no more. */
  #lastStreamId = Number.POSITIVE_INFINITY;

  /** Connects to a server. Resolves when it has shown that it speaks HTTP/2; rejects with the reason why it does not. */
  static open(target: ClientSessionTarget): Promise<ClientSession> {
    const { authority, socket } = openSocket(target);
    const session = connectHttp2(authority, { ...sessionOptions, createConnection: () => socket });
    return new Promise((resolve, reject) => {
      let reason: Error | undefined;
      const timer = setTimeout(
        () => session.destroy(new Error("the server did not answer in time")),
        target.connectTimeoutMs,
      );
      session.on("error", (error) => {
        reason ??= error;
      });
      const onClose = (): void => {
        clearTimeout(timer);
        reject(reason ?? new Error("the server closed the connection"));
      };
      session.once("close", onClose);
      session.once("remoteSettings", () => {
        clearTimeout(timer);
        session.off("close", onClose);
        resolve(new ClientSession(session, authority, target));
      });
    });
  }

  private constructor(session: ClientHttp2Session, authority: string, target: ClientSessionTarget) {
    this.#session = session;
    this.#target = target;
    this.#callsLeft = target.maxCalls;
    this.maxMessageBytes = target.maxMessageBytes;
    const { protocol, host } = new URL(authority);
    this.#headers = {
      ":method": "POST",
      ":scheme": protocol.slice(0, -1),
      ":authority": host,
      "content-type": "application/grpc",
      te: "trailers",
      ...target.headers,
    };
    this.retired = new Promise((resolve) => {
      this.#retire = resolve;
    });
    session.setLocalWindowSize(windowBytes);
    session.on("error", (error) => {
      this.#failure ??= error;
    });
    session.on("goaway", (_code, lastStreamId) => {
      this.#lastStreamId = lastStreamId;
      this.#retireNow(new Error("the server takes no more calls"));
    });
    session.on("close", () => {
      clearInterval(this.#pings);
      this.#retireNow(this.#failure);
    });
    this.#pings = setInterval(() => this.#ping(), target.keepaliveMs).unref();
    session.unref();
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
      const stream = this.#openStream(method.path, { "grpc-timeout": `${Math.ceil(deadlineMs)}m` });
      const call = new UnaryCall<Response>(stream, this, {
        endsAtMs: performance.now() + deadlineMs,
        deadlines: this.#deadlines,
        decode: method.responseDeserialize,
        outcome: { resolve, reject },
      });
      if (signal !== undefined) {
        const onAbort = (): void => call.abort(signal.reason);
        signal.addEventListener("abort", onAbort, { once: true });
        stream.once("close", () => signal.removeEventListener("abort", onAbort));
      }
      stream.end(message);
    });
  }

  /** Opens a call with streams in both directions. Throws GrpcCallError if the connection takes no more calls. */
  openStream<Request, Response>(
    method: Method<Request, Response>,
    listener: StreamListener<Response>,
  ): StreamCall<Request, Response> {
    return new StreamCall(this.#openStream(method.path, {}), this, { method, listener });
  }

  lossOf(stream: ClientHttp2Stream): GrpcCallError | undefined {
    const isUnsent = stream.id === undefined || stream.id > this.#lastStreamId;
    if (!isUnsent && !this.#session.destroyed) {
      return undefined;
    }
    const cause = this.#failure ?? stream.errored;
    const details = cause === null ? "Connection dropped" : `Connection dropped: ${cause.message}`;
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

  #openStream(path: string, headers: OutgoingHttpHeaders): ClientHttp2Stream {
    if (this.#isRetired || this.#session.destroyed || this.#session.closed) {
      throw new GrpcCallError(grpcCode.unavailable, "Connection dropped", { isUnsent: true, cause: this.#failure });
    }
    const stream = this.#session.request({ ...this.#headers, ":path": path, ...headers });
    if (this.#openCalls++ === 0) {
      this.#session.ref();
    }
    if (--this.#callsLeft <= 0) {
      this.#retireNow(undefined);
    }
    return stream;
  }

  #closeIfIdle(): void {
    if (this.#openCalls > 0 || this.#session.destroyed) {
      return;
    }
    if (this.#isRetired) {
      this.#session.close();
    } else {
      this.#session.unref();
    }
  }

  /** Begins no more calls. The session is closed only after the last one: it would not send one that has just begun. */
  #retireNow(reason: Error | undefined): void {
    if (!this.#isRetired) {
      this.#isRetired = true;
      this.#retire(reason);
      this.#closeIfIdle();
    }
  }

  #ping(): void {
    if (this.#openCalls === 0 || this.#session.destroyed) {
      return;
    }
    const lost = (): void => this.#session.destroy(new Error("the server does not answer pings"));
    const timer = setTimeout(lost, this.#target.keepaliveTimeoutMs).unref();
    this.#session.ping((error) => {
      if (error === null) {
        clearTimeout(timer);
      }
    });
  }
}

const sessionOptions: ClientSessionOptions = {
  maxReservedRemoteStreams: 0,
  maxSessionMemory: Number.MAX_SAFE_INTEGER, // messages have a limit of their own
  settings: { enablePush: false, initialWindowSize: windowBytes },
};

function openSocket({ address, tls }: ClientSessionTarget): { readonly authority: string; readonly socket: Socket } {
  if ("socketPath" in address) {
    return { authority: "http://localhost", socket: connectPlain({ path: address.socketPath }) };
  }
  const { host, port } = address;
  const target: TcpNetConnectOpts = { host, port, noDelay: true };
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return tls === undefined
    ? { authority: `http://${authority}`, socket: connectPlain(target) }
    : { authority: `https://${authority}`, socket: openTls(target, tls) };
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
