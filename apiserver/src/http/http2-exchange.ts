import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { errorCode, fieldValue, type Http2Stream, type StreamReceiver } from "@gatehouse/component-base/http2";
import { inNextRound } from "@gatehouse/component-base/time";
import { asUtf8 } from "../request/as-utf8.js";
import { Exchange } from "../request/exchange.js";
import type { HeaderFields } from "../request/header-fields.js";
import type { Connection } from "../scheduling/connection.js";
import { httpDate } from "./http-date.js";
import { pushFields } from "./http2-fields.js";
import { escapedTarget, headersOf } from "./request-fields.js";

/** The parts of a connection that its exchanges use. */
export interface ExchangeCarrier {
  readonly socket: TLSSocket;
  /** The state shared by the exchanges of the connection. */
  readonly connection: Connection;
  /** Takes no more requests, and closes the connection after those that it has. */
  refuseMore(): void;
}

/** An exchange over one stream of HTTP/2. */
export class Http2Exchange extends Exchange implements StreamReceiver {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly hasBody: boolean;
  readonly #stream: Http2Stream;
  readonly #carrier: ExchangeCarrier;
  #headers: IncomingHttpHeaders | undefined;
  #body: Readable | undefined;
  #hasWholeBody = false;
  /** True once the exchange has been told to be closed. */
  #isOver = false;
  #receivedTrailers: readonly string[] = [];

  /** `fields`: names and values of the head of the request in turn. `isEnd`: it has no body. */
  constructor(stream: Http2Stream, fields: readonly string[], isEnd: boolean, carrier: ExchangeCarrier) {
    super();
    this.#stream = stream;
    this.#carrier = carrier;
    this.rawHeaders = fields;
    this.method = fieldValue(fields, ":method") as string;
    this.target = escapedTarget(fieldValue(fields, ":path") as string);
    this.hasBody = !isEnd;
    if (!isEnd) {
      stream.pause();
    }
  }

  get headers(): IncomingHttpHeaders {
    this.#headers ??= headersOf(this.rawHeaders);
    return this.#headers;
  }

  headerNames(matches: (name: string) => boolean): string[] {
    const names: string[] = [];
    for (let at = 0; at < this.rawHeaders.length; at += 2) {
      const name = this.rawHeaders[at] as string;
      if (matches(name) && name in this.headers && !names.includes(name)) {
        names.push(name);
      }
    }
    return names;
  }

  headerValues(name: string): readonly string[] {
    return this.rawHeaders
      .filter((_value, index) => index % 2 === 1 && this.rawHeaders[index - 1] === name)
      .map(asUtf8);
  }

  get connection(): Connection {
    return this.#carrier.connection;
  }

  get socket(): TLSSocket {
    return this.#carrier.socket;
  }

  override refuseMore(): void {
    this.#carrier.refuseMore();
  }

  closeAfter(): void {
    this.#carrier.refuseMore();
  }

  get body(): Readable {
    this.#body ??= this.#openBody();
    return this.#body;
  }

  #openBody(): Readable {
    const body = new Readable({ read: () => this.#stream.resume() });
    if (!this.hasBody) {
      body.push(null);
    } else if (this.#stream.isClosed) {
      body.destroy();
    } else if (this.status === 0 && this.headers.expect?.trim().toLowerCase() === "100-continue") {
      this.#stream.inform(100);
    }
    return body;
  }

  collectTrailers(): () => readonly string[] {
    return () => this.#receivedTrailers;
  }

  get isClosed(): boolean {
    return this.#isOver || (this.#stream.isClosed && !this.isComplete);
  }

  /** Does nothing: the head goes out on its own. */
  flush(): void {}

  breakOff(): void {
    this.#stream.reset(errorCode.internalError);
  }

  whenDrained(listener: () => void): void {
    this.#stream.whenDrained(() => {
      if (!this.isClosed) {
        listener();
      }
    });
  }

  /** Is never called: this side is the server. */
  onHead(): void {}

  onData(bytes: Buffer): void {
    if (this.#body?.push(bytes) === false) {
      this.#stream.pause();
    }
  }

  onTrailers(fields: readonly string[]): void {
    this.#receivedTrailers = fields;
  }

  onEnd(): void {
    this.#hasWholeBody = true;
    if (this.hasBody) {
      this.#body?.push(null);
    }
  }

  onClose(): void {
    if (!this.#hasWholeBody) {
      this.#body?.destroy();
    }
    // As with HTTP/1.1, an answer that has been handed over is closed later: who sends it has work to do behind it.
    inNextRound(() => {
      this.#isOver = true;
      this.closed();
    });
  }

  protected writeWhole(status: number, sent: HeaderFields, body: Buffer | undefined): void {
    const isEmpty = body === undefined || body.length === 0;
    this.#stream.respond(headOf(status, sent), isEmpty);
    if (!isEmpty) {
      this.#stream.end(body);
    }
  }

  protected writeHead(status: number, sent: HeaderFields): void {
    this.#stream.respond(headOf(status, sent), false);
  }

  protected writePiece(piece: Buffer, taken: (() => void) | undefined): boolean {
    this.#stream.write(piece);
    if (taken !== undefined) {
      // What has been handed over is copied at the end of this round of the event loop.
      this.whenDrained(() => setImmediate(taken));
    }
    return this.#stream.pendingBytes === 0;
  }

  protected writeEnd(trailers: HeaderFields | undefined): void {
    if (trailers === undefined) {
      this.#stream.end();
      return;
    }
    const fields: string[] = [];
    try {
      pushFields(fields, trailers);
    } catch {
      this.breakOff(); // HTTP/2 does not carry every header that HTTP/1.1 does
      return;
    }
    this.#stream.end(undefined, fields.length === 0 ? undefined : fields);
  }
}

function headOf(status: number, sent: HeaderFields): string[] {
  const fields = [":status", String(status)];
  if (!pushFields(fields, sent)) {
    fields.push("date", httpDate());
  }
  return fields;
}
