import { http1Request } from "./http1-request.js";
import type { LoadConnection, LoadConnectionOptions } from "./load-connection.js";
import { LoadSocket } from "./load-socket.js";
import { type NumberedBytes, writeNumber } from "./numbered-bytes.js";

const headersEnd = Buffer.from("\r\n\r\n");

/** One HTTP/1.1 connection: it writes ready-made bytes, and of an answer it reads the status and the Content-Length. */
export class Http1Connection implements LoadConnection {
  readonly #connection: LoadSocket;
  readonly #options: LoadConnectionOptions;
  readonly #request: NumberedBytes;
  /** The request as it is sent. Sent again only when it has been answered, so nobody reads it any longer. */
  readonly #bytes: Buffer;
  /** Received part of headers that are not complete. */
  #partial: Buffer | undefined;
  /** Bytes of the body still to come. */
  #remaining = 0;
  #inStream = false;

  constructor(options: LoadConnectionOptions) {
    this.#options = options;
    this.#request = http1Request(options.request);
    this.#bytes = Buffer.from(this.#request.bytes);
    this.#connection = new LoadSocket({ ...options, onRead: (bytes) => this.#read(bytes) });
  }

  connected(): Promise<void> {
    return this.#connection.connected();
  }

  send(number: number): void {
    writeNumber(this.#request, this.#bytes, number);
    this.#connection.write(this.#bytes);
  }

  close(): void {
    this.#connection.close();
  }

  #read(bytes: Buffer): void {
    this.#options.onBody(bytes);
    let at = 0;
    while (at < bytes.length && !this.#inStream) {
      if (this.#remaining > 0) {
        const taken = Math.min(this.#remaining, bytes.length - at);
        this.#remaining -= taken;
        at += taken;
      } else {
        const bodyAt = this.#readHead(bytes, at);
        if (bodyAt < 0) {
          return;
        }
        at = bodyAt;
      }
      if (this.#remaining === 0 && !this.#inStream) {
        this.#options.onAnswer();
      }
    }
  }

  /** Returns the offset of the body; -1 while the head is not complete. */
  #readHead(bytes: Buffer, from: number): number {
    const { expectedCode, onError, onHead, endless = false } = this.#options;
    const before = this.#partial;
    const whole = before === undefined ? bytes.subarray(from) : Buffer.concat([before, bytes.subarray(from)]);
    const end = whole.indexOf(headersEnd);
    if (end < 0) {
      this.#partial = Buffer.from(whole);
      return -1;
    }
    this.#partial = undefined;
    const text = whole.toString("latin1", 0, end);
    const code = Number(text.slice(9, 12));
    const match = /\r\ncontent-length: *(\d+)/i.exec(text);
    if (code !== expectedCode || (match === null && !endless)) {
      onError(new Error(`expected ${expectedCode}${endless ? "" : " with a length"}, got: ${text}`));
      return -1;
    }
    this.#remaining = endless ? 0 : Number(match?.[1]);
    this.#inStream = endless;
    onHead?.();
    return from + end + headersEnd.length - (before?.length ?? 0);
  }
}
