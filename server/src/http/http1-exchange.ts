import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { Connection } from "../request/connection.js";
import { type AnswerHeaders, Exchange } from "../request/exchange.js";

/** An exchange over HTTP/1.1 or 1.0. */
export class Http1Exchange extends Exchange {
  readonly connection: Connection;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #mustContinue: boolean;

  /** `mustContinue`: the client waits for 100 Continue before it sends the body. */
  constructor(request: IncomingMessage, response: ServerResponse, connection = new Connection(), mustContinue = false) {
    super();
    this.connection = connection;
    this.#request = request;
    this.#response = response;
    this.#mustContinue = mustContinue;
    // Without a listener a failed write would end the process.
    response.on("error", ignore);
    response.once("close", () => this.closed());
  }

  get method(): string {
    return this.#request.method ?? "GET";
  }

  get target(): string {
    return this.#request.url ?? "/";
  }

  get headers(): IncomingMessage["headers"] {
    return this.#request.headers;
  }

  get socket(): TLSSocket {
    return this.#request.socket as TLSSocket;
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
    return this.#response.destroyed;
  }

  flush(): void {
    this.#response.flushHeaders();
  }

  breakOff(): void {
    this.#response.destroy();
  }

  whenDrained(listener: () => void): void {
    this.#response.once("drain", listener);
  }

  protected writeWhole(status: number, headers: AnswerHeaders, body: Buffer | undefined): void {
    this.writeHead(status, headers);
    this.#response.end(body);
  }

  protected writeHead(status: number, headers: AnswerHeaders): void {
    this.#sayWhetherOpen(headers);
    this.#response.writeHead(status, headers as OutgoingHttpHeaders);
  }

  protected writePiece(piece: Buffer, taken: (() => void) | undefined): boolean {
    return this.#response.write(piece, taken);
  }

  protected writeEnd(): void {
    this.#response.end();
  }

  /** As Go's server says it: only what the client could not know from the version of HTTP. */
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

function ignore(): void {}
