import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
  sensitiveHeaders,
} from "node:http2";
import type { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { type AnswerHeaders, Exchange } from "../request/exchange.js";
import { Connection } from "../scheduling/connection.js";
import { asUtf8 } from "./as-utf8.js";

const endStream = Object.freeze({ endStream: true });
const waitForTrailers = Object.freeze({ waitForTrailers: true });
/**
 * Headers sent without indexing: a new value in every answer would fill the connection's table of headers (RFC 7541,
 * section 2.3.2), which is searched from end to end for each of them, and drive out those that stay the same.
 */
const unindexedHeaders: string[] = ["audit-id"];

/**
 * An exchange over one stream of HTTP/2. Node's streams are used as they are: its form that is compatible with HTTP/1.1
 * makes four more objects and a dozen listeners for each request, which cost more than the answer.
 */
export class Http2Exchange extends Exchange {
  readonly connection: Connection;
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly #stream: ServerHttp2Stream;
  readonly rawHeaders: readonly string[];
  #trailers: AnswerHeaders | undefined;
  #receivedTrailers: readonly string[] = [];
  #mustContinue: boolean;

  /** Wraps a stream. `rawHeaders`: names and values in turn, as they were sent. */
  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    connection = new Connection(),
  ) {
    super();
    this.rawHeaders = rawHeaders;
    this.connection = connection;
    this.#stream = stream;
    this.headers = headers;
    this.method = headers[":method"] ?? "GET";
    this.target = headers[":path"] ?? "/";
    this.#mustContinue = headers.expect?.toLowerCase() === "100-continue";
    // A stream that is reset is the client's affair; without a listener it would end the process.
    stream.on("error", ignore);
    stream.once("close", () => this.closed());
    if (!stream.endAfterHeaders) {
      // From the beginning: they may arrive while a filter waits. Node's types do not know of the last argument.
      stream.once("trailers", (...[, , raw]: unknown[]) => {
        this.#receivedTrailers = raw as readonly string[];
      });
    }
  }

  headerValues(name: string): readonly string[] {
    return this.rawHeaders
      .filter((_value, index) => index % 2 === 1 && this.rawHeaders[index - 1] === name)
      .map(asUtf8);
  }

  get socket(): TLSSocket | undefined {
    return this.#stream.session?.socket as TLSSocket | undefined;
  }

  override refuseMore(): void {
    // Tells the client by GOAWAY; what it has begun meanwhile it may begin again elsewhere.
    this.#stream.session?.close();
  }

  closeAfter(): void {
    this.refuseMore();
  }

  get body(): Readable {
    if (this.#mustContinue && !this.isClosed && !this.#stream.headersSent) {
      this.#mustContinue = false;
      this.#stream.additionalHeaders({ ":status": 100 });
    }
    return this.#stream;
  }

  get hasBody(): boolean {
    return !this.#stream.endAfterHeaders;
  }

  collectTrailers(): () => readonly string[] {
    return () => this.#receivedTrailers;
  }

  get isClosed(): boolean {
    return this.#stream.destroyed || this.#stream.closed;
  }

  /** Does nothing: the head goes out on its own. */
  flush(): void {}

  breakOff(): void {
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  whenDrained(listener: () => void): void {
    this.#stream.once("drain", listener);
  }

  protected writeWhole(status: number, headers: AnswerHeaders, body: Buffer | undefined): void {
    if (this.isClosed) {
      return;
    }
    const head = headOf(status, headers);
    if (body === undefined || body.length === 0) {
      this.#stream.respond(head, endStream);
    } else {
      this.#stream.respond(head);
      this.#stream.end(body);
    }
  }

  protected writeHead(status: number, headers: AnswerHeaders, mayHaveTrailers: boolean): void {
    if (this.isClosed) {
      return;
    }
    if (!mayHaveTrailers) {
      this.#stream.respond(headOf(status, headers));
      return;
    }
    this.#stream.respond(headOf(status, headers), waitForTrailers);
    // Node asks for them when the last piece is out, and leaves it to its user to end the stream.
    this.#stream.once("wantTrailers", () => {
      try {
        this.#stream.sendTrailers((this.#trailers ?? {}) as OutgoingHttpHeaders);
      } catch {
        // HTTP/2 does not carry every header that HTTP/1.1 does.
        this.breakOff();
      }
    });
  }

  protected writePiece(piece: Buffer, taken: (() => void) | undefined): boolean {
    return this.isClosed || this.#stream.write(piece, taken);
  }

  protected writeEnd(trailers: AnswerHeaders | undefined): void {
    this.#trailers = trailers;
    this.#stream.end();
  }
}

function headOf(status: number, headers: AnswerHeaders): OutgoingHttpHeaders {
  const head = headers as OutgoingHttpHeaders;
  head[":status"] = status;
  (head as Record<symbol, unknown>)[sensitiveHeaders] = unindexedHeaders;
  return head;
}

function ignore(): void {}
