import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import { type Duplex, Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import {
  fieldNameOf,
  type Http1Connection,
  type RequestHead,
  type RequestReceiver,
} from "@gatehouse/component-base/http1";
import { inNextRound } from "@gatehouse/component-base/time";
import { asUtf8 } from "../request/as-utf8.js";
import { Exchange } from "../request/exchange.js";
import type { HeaderFields } from "../request/header-fields.js";
import type { SharedPiece } from "../request/shared-piece.js";
import { Connection } from "../scheduling/connection.js";
import { HeadLines } from "./head-lines.js";
import { httpDate } from "./http-date.js";
import { escapedTarget, headersOf } from "./request-fields.js";

/** Bytes of a body that are copied behind its head, to be one write; larger ones are a write of their own. */
const mergedBytes = 16 * 1024;

/** An exchange over HTTP/1.1 or 1.0. */
export class Http1Exchange extends Exchange implements RequestReceiver {
  /**
   * The connection of this exchange alone: requests on HTTP/1.1 come one after the other, so that nothing is shared.
   */
  readonly connection = new Connection();
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly hasBody: boolean;
  readonly #head: RequestHead;
  readonly #carrier: Http1Connection;
  #headers: IncomingHttpHeaders | undefined;
  #body: Readable | undefined;
  #hasWholeBody: boolean;
  #receivedTrailers: readonly string[] = [];
  #mustContinue: boolean;
  /** Bytes of the body that have not come yet; 0 for one whose length is unknown. */
  #bodyLeft: number;
  #keepsOpen: boolean;
  #isOver = false;
  /** The head of the answer while it waits for the first piece. */
  #headText = "";
  /** True if the body of the answer is sent in chunks. */
  #isChunked = false;
  /** True if the answer has no body, whatever is handed over. */
  #isBodiless = false;
  /** The connection once it has been taken over for another protocol. */
  #taken: Duplex | undefined;

  constructor(head: RequestHead, carrier: Http1Connection) {
    super();
    this.#head = head;
    this.#carrier = carrier;
    this.method = head.method;
    this.target = escapedTarget(originForm(head.target));
    this.rawHeaders = head.fields;
    this.hasBody = head.bodyLength !== 0;
    this.#hasWholeBody = !this.hasBody;
    this.#mustContinue = head.expectsContinue;
    this.#bodyLeft = head.bodyLength ?? 0;
    // Who has asked in vain may send what the other protocol begins with all the same.
    this.#keepsOpen = head.isPersistent && !this.asksForUpgrade;
  }

  get headers(): IncomingHttpHeaders {
    this.#headers ??= headersOf(this.rawHeaders, lowerCase);
    return this.#headers;
  }

  headerNames(matches: (name: string) => boolean): string[] {
    const names: string[] = [];
    for (let at = 0; at < this.rawHeaders.length; at += 2) {
      const name = lowerCase(this.rawHeaders[at] as string);
      if (matches(name) && name in this.headers && !names.includes(name)) {
        names.push(name);
      }
    }
    return names;
  }

  headerValues(name: string): readonly string[] {
    const values: string[] = [];
    for (let at = 0; at < this.rawHeaders.length; at += 2) {
      if (lowerCase(this.rawHeaders[at] as string) === name) {
        values.push(asUtf8(this.rawHeaders[at + 1] as string));
      }
    }
    return values;
  }

  get socket(): TLSSocket {
    return this.#carrier.socket as TLSSocket;
  }

  get body(): Readable {
    this.#body ??= this.#openBody();
    return this.#body;
  }

  #openBody(): Readable {
    const body = new Readable({ read: () => this.#carrier.resume() });
    if (this.#hasWholeBody) {
      body.push(null);
    } else if (this.isClosed) {
      body.destroy();
    } else if (this.#mustContinue) {
      // Asked for only now: who is refused before its body is read shall not send it.
      this.#mustContinue = false;
      this.#carrier.socket.write("HTTP/1.1 100 Continue\r\n\r\n", "latin1");
    }
    return body;
  }

  collectTrailers(): () => readonly string[] {
    return () => this.#receivedTrailers;
  }

  override get asksForUpgrade(): boolean {
    // Any upgrade may be declined (RFC 9110, section 7.8), and one with a body is.
    return this.#head.asksForUpgrade && !this.hasBody;
  }

  protected override takeConnection(): Duplex {
    const socket = this.#carrier.take();
    this.#taken = socket;
    socket.once("close", () => this.closed());
    return socket;
  }

  override stopReading(): (() => void) | undefined {
    // What reads again holds the connection, not this exchange: many of them may wait, each with its request.
    return this.isUpgraded || this.#carrier.isOver ? undefined : this.#carrier.hold();
  }

  override refuseMore(): void {
    this.#carrier.refuseMore();
  }

  closeAfter(): void {
    this.#keepsOpen = false;
  }

  get isClosed(): boolean {
    return this.#taken?.destroyed ?? this.#isOver;
  }

  flush(): void {
    if (this.#headText !== "") {
      const head = this.#headText;
      this.#headText = "";
      this.#carrier.socket.write(head, "latin1");
    }
  }

  breakOff(): void {
    (this.#taken ?? this.#carrier.socket).destroy();
  }

  whenDrained(listener: () => void): void {
    this.#carrier.socket.once("drain", listener);
  }

  get hasBegun(): boolean {
    return this.status !== 0;
  }

  onData(bytes: Buffer): void {
    this.#mustContinue = false; // It has not waited.
    this.#bodyLeft -= bytes.length;
    if (!this.body.push(bytes)) {
      this.#carrier.pause();
    }
  }

  onTrailers(fields: readonly string[]): void {
    this.#receivedTrailers = fields;
  }

  onEnd(): void {
    this.#hasWholeBody = true;
    this.#body?.push(null);
  }

  onClose(): void {
    if (!this.#hasWholeBody) {
      this.#body?.destroy();
    }
    this.#close();
  }

  protected writeWhole(status: number, fields: HeaderFields, body: Buffer | undefined): void {
    const head = this.#headOf(status, fields, body?.length ?? 0);
    this.#write(head, this.#isBodiless ? undefined : body);
    this.#answered();
  }

  protected writeHead(status: number, fields: HeaderFields): void {
    this.#headText = this.#headOf(status, fields, undefined);
  }

  protected writePiece(piece: Buffer, taken: (() => void) | undefined): boolean {
    const head = this.#headText;
    this.#headText = "";
    if (this.#isBodiless || piece.length === 0) {
      if (taken !== undefined) {
        setImmediate(taken);
      }
      return this.#write(head, undefined);
    }
    if (!this.#isChunked) {
      return this.#write(head, piece, taken);
    }
    const { socket } = this.#carrier;
    socket.cork();
    this.#write(`${head}${piece.length.toString(16)}\r\n`, piece);
    const mayGoOn = socket.write(lineEnd, taken);
    socket.uncork();
    return mayGoOn;
  }

  protected override writeSharedPiece(piece: SharedPiece): boolean {
    if (!this.#isChunked || this.#headText !== "") {
      return this.writePiece(piece.bytes, undefined);
    }
    return this.#carrier.socket.write(piece.chunk);
  }

  protected writeEnd(trailers: HeaderFields | undefined): void {
    const head = this.#headText;
    this.#headText = "";
    const end = this.#isChunked ? `0\r\n${trailers === undefined ? "" : new HeadLines(trailers).text}\r\n` : "";
    if (head !== "" || end !== "") {
      this.#carrier.socket.write(head + end, "latin1");
    }
    this.#answered();
  }

  #write(head: string, body: Buffer | undefined, taken?: () => void): boolean {
    const { socket } = this.#carrier;
    if (body === undefined || body.length === 0) {
      return head === "" ? !socket.writableNeedDrain : socket.write(head, "latin1", taken);
    }
    if (head === "") {
      return socket.write(body, taken);
    }
    if (body.length <= mergedBytes) {
      const merged = Buffer.allocUnsafe(head.length + body.length);
      merged.write(head, "latin1");
      merged.set(body, head.length);
      return socket.write(merged, taken);
    }
    socket.cork();
    socket.write(head, "latin1");
    const mayGoOn = socket.write(body, taken);
    socket.uncork();
    return mayGoOn;
  }

  /** Returns the head of an answer; `length`: that of its body in bytes, if all of it is known. */
  #headOf(status: number, fields: HeaderFields, length: number | undefined): string {
    const lines = new HeadLines(fields);
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n${lines.text}`;
    if (!lines.hasDate) {
      text += `Date: ${httpDate()}\r\n`;
    }
    this.#isBodiless = status === 204 || status === 304 || this.method === "HEAD";
    if (!lines.hasLength && !this.#isBodiless) {
      text += this.#framing(length);
    }
    return `${text}${this.#connectionLine()}\r\n`;
  }

  /** Returns the header by which the client finds the end of a body. */
  #framing(length: number | undefined): string {
    if (length !== undefined) {
      return `Content-Length: ${length}\r\n`;
    }
    if (this.#head.minorVersion === 0) {
      this.#keepsOpen = false; // The end of the connection is that of the body.
      return "";
    }
    this.#isChunked = true;
    return "Transfer-Encoding: chunked\r\n";
  }

  /** Returns the Connection header as Go's server sends it: only if the version of HTTP does not imply it. */
  #connectionLine(): string {
    // The client of a body that was not asked for may send it or not; nobody could tell what comes next.
    this.#keepsOpen &&= !this.#mustContinue && !this.#carrier.isLast && this.#bodyLeft < maxUnwantedBytes;
    const { minorVersion } = this.#head;
    if (this.#keepsOpen) {
      return minorVersion === 0 ? "Connection: keep-alive\r\n" : "";
    }
    return minorVersion === 0 ? "" : "Connection: close\r\n";
  }

  /** An answer is over in the next round: who sends it has work to do behind it. */
  #answered(): void {
    const { socket } = this.#carrier;
    if (socket.writableNeedDrain) {
      // The answers to requests that follow would fill the memory.
      socket.once("drain", this.#closeInOrder);
    } else {
      inNextRound(this.#closeInOrder);
    }
  }

  readonly #closeInOrder = (): void => {
    this.#close();
    this.#carrier.answered(this.#keepsOpen);
  };

  #close(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.closed();
    }
  }
}

const lineEnd = Buffer.from("\r\n");
/** Bytes of a body behind its answer for which a connection is not kept open, as for Go's server. */
const maxUnwantedBytes = 256 * 1024;

function lowerCase(name: string): string {
  return fieldNameOf(name).lower;
}

/**
 * Returns the path and query of a target, or `*`; a scheme and host are left out (RFC 9112, section 3.2.2). The text is empty where a
 * target has no path.
 */
function originForm(target: string): string {
  if (target.startsWith("/") || target === "*") {
    return target;
  }
  const rest = target.slice(target.indexOf(":") + 1);
  const path = rest.startsWith("//") ? rest.slice(2).replace(/^[^/?]*/, "") : rest;
  return path.startsWith("/") ? path : "";
}
