import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Duplex, Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { type AnswerFields, type AnswerHeaders, Exchange } from "../request/exchange.js";
import type { SharedPiece } from "../request/shared-piece.js";
import { Connection } from "../scheduling/connection.js";
import { areFields, headersOfFields } from "./answer-fields.js";
import { asUtf8 } from "./as-utf8.js";

/** An exchange over HTTP/1.1 or 1.0. */
export class Http1Exchange extends Exchange {
  /**
   * The connection of this exchange alone: requests on HTTP/1.1 come one after the other, so that nothing is shared.
   */
  readonly connection = new Connection();
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #mustContinue: boolean;
  #socketIsFull = false;
  /** True once the head is written: Node keeps it until there is a first piece to send it with. */
  #headIsOut = false;
  readonly #afterUpgrade: Buffer | undefined;
  /** The connection once it has been taken over for another protocol. */
  #taken: Duplex | undefined;

  /**
   * Wraps a request and its response. `mustContinue`: the client waits for 100 Continue before it sends the body.
   * `afterUpgrade`: the bytes already read behind a request for another protocol, whose connection nothing else reads.
   */
  constructor(request: IncomingMessage, response: ServerResponse, mustContinue = false, afterUpgrade?: Buffer) {
    super();
    this.#request = request;
    this.#response = response;
    this.#mustContinue = mustContinue;
    this.#afterUpgrade = afterUpgrade;
    if (afterUpgrade !== undefined) {
      request.socket.on("readable", noticeEnd);
      request.socket.once("end", goAway);
    }
    // Without a listener a failed write would end the process.
    response.on("error", ignore);
    response.once("close", () => this.closed());
  }

  get method(): string {
    return this.#request.method ?? "GET";
  }

  get target(): string {
    const url = this.#request.url ?? "/";
    return url.startsWith("/") ? url : pathOf(url);
  }

  get headers(): IncomingMessage["headers"] {
    return this.#request.headers;
  }

  headerNames(matches: (name: string) => boolean): string[] {
    return Object.keys(this.headers).filter(matches);
  }

  headerValues(name: string): readonly string[] {
    return (this.#request.headersDistinct[name] ?? []).map(asUtf8);
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  get socket(): TLSSocket {
    return this.#request.socket as TLSSocket;
  }

  get hasBody(): boolean {
    return hasBody(this.#request);
  }

  collectTrailers(): () => readonly string[] {
    return () => this.#request.rawTrailers;
  }

  override get asksForUpgrade(): boolean {
    return this.#afterUpgrade !== undefined;
  }

  protected override takeConnection(): Duplex {
    const socket = this.#response.socket ?? this.#request.socket;
    socket.off("readable", noticeEnd);
    socket.off("end", goAway);
    // Each side may end its direction before the other.
    socket.allowHalfOpen = true;
    this.#response.detachSocket(socket);
    this.#taken = socket;
    socket.once("close", () => this.closed());
    if (this.#afterUpgrade !== undefined && this.#afterUpgrade.length > 0) {
      socket.unshift(this.#afterUpgrade);
    }
    return socket;
  }

  override stopReading(): (() => void) | undefined {
    const { socket } = this.#request;
    if (this.isUpgraded || !socket.writable) {
      return undefined;
    }
    socket.pause();
    return () => socket.resume();
  }

  closeAfter(): void {
    this.#response.shouldKeepAlive = false;
  }

  get body(): Readable {
    // Asked for only now: who is refused before its body is read shall not send it.
    if (this.#mustContinue) {
      this.#mustContinue = false;
      this.#response.writeContinue();
    }
    return this.#request;
  }

  get isClosed(): boolean {
    return this.#taken?.destroyed ?? this.#response.destroyed;
  }

  flush(): void {
    this.#response.flushHeaders();
    this.#headIsOut = true;
  }

  breakOff(): void {
    (this.#taken ?? this.#response).destroy();
  }

  whenDrained(listener: () => void): void {
    // Node's response waits for the socket only when it was itself told that the socket is full.
    const source = this.#socketIsFull ? this.#response.socket : this.#response;
    this.#socketIsFull = false;
    source?.once("drain", listener);
  }

  protected writeWhole(status: number, headers: AnswerHeaders | AnswerFields, body: Buffer | undefined): void {
    this.writeHead(status, headers);
    this.#response.end(body);
  }

  protected writeHead(status: number, given: AnswerHeaders | AnswerFields): void {
    const headers = areFields(given) ? headersOfFields(given) : given;
    this.#sayWhetherOpen(headers);
    this.#response.writeHead(status, headers as OutgoingHttpHeaders);
  }

  protected writePiece(piece: Buffer, taken: (() => void) | undefined): boolean {
    this.#headIsOut = true;
    return this.#response.write(piece, taken);
  }

  /**
   * Writes past Node's response, which would write length, bytes and line end separately for every watcher of an event,
   * half of the cost. Only a chunked answer that has the socket to itself may do so.
   */
  protected override writeSharedPiece(piece: SharedPiece): boolean {
    const { socket, chunkedEncoding, writableLength, destroyed } = this.#response;
    const isOpen = socket !== null && !destroyed && !socket.destroyed;
    if (!isOpen || !chunkedEncoding || !this.#headIsOut || writableLength > socket.writableLength) {
      return this.writePiece(piece.bytes, undefined);
    }
    this.#socketIsFull = !socket.write(piece.chunk);
    return !this.#socketIsFull;
  }

  protected writeEnd(trailers: AnswerFields | undefined): void {
    if (trailers !== undefined) {
      this.#response.addTrailers(headersOfFields(trailers) as OutgoingHttpHeaders);
    }
    this.#response.end();
  }

  /** Sets the Connection header as Go's server does: only if the version of HTTP does not imply it. */
  #sayWhetherOpen(headers: AnswerHeaders): void {
    const { httpVersionMinor } = this.#request;
    // The client of a body that was not asked for may send it or not; nobody could tell what comes next.
    if (this.#mustContinue) {
      this.#response.shouldKeepAlive = false;
    }
    if (!this.#response.shouldKeepAlive) {
      if (httpVersionMinor > 0) {
        headers["Connection"] = "close";
        return;
      }
    } else if (httpVersionMinor === 0) {
      headers["Connection"] = "keep-alive";
      return;
    }
    this.#response.removeHeader("Connection");
  }
}

/** Reports whether a request has a body, be it empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

/** Returns the path of a target in absolute form (RFC 9112, section 3.2.2), without its scheme and host. */
function pathOf(url: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(url);
  return match === null ? "" : match[1]?.startsWith("/") === true ? match[1] : `/${match[1]}`;
}

/** Lets the end of a connection that nobody reads become known, and takes nothing of what arrives. */
function noticeEnd(this: Readable): void {
  this.read(0);
}

/** Ends the exchange with a client that leaves before it is answered. */
function goAway(this: Duplex): void {
  this.destroy();
}

function ignore(): void {}
