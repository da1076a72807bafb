import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";

export interface RawConnectionOptions {
  readonly port: number;
  readonly tls: ConnectionOptions;
  /** Called when a response is complete; of a stream, when its headers have come. */
  readonly onResponse: (code: number) => void;
  /** Called with every piece that has been read, headers included; valid during the call only. */
  readonly onBytes?: (bytes: Buffer) => void;
  readonly onError: (error: Error) => void;
  /** Responses without an end: bytes after the headers are not looked at here. */
  readonly stream?: boolean;
}

/** All connections of a process read into this buffer, one after the other: nothing is allocated per read. */
const readBuffer = Buffer.allocUnsafe(64 * 1024);
const headersEnd = Buffer.from("\r\n\r\n");

/**
 * One HTTP/1.1 connection that does as little as a client can: it writes ready-made bytes, and of an answer it reads the
 * status and the Content-Length. A load generator must cost less than the server that it measures.
 */
export class RawConnection {
  readonly #socket: TLSSocket;
  readonly #options: RawConnectionOptions;
  /** What has come of headers that are not complete. */
  #partial: Buffer | undefined;
  #code = 0;
  /** Bytes of the body still to come. */
  #remaining = 0;
  #inStream = false;

  constructor(options: RawConnectionOptions) {
    this.#options = options;
    const onread = {
      buffer: readBuffer,
      callback: (length: number, buffer: Uint8Array): boolean => {
        this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        return true;
      },
    };
    this.#socket = connect({ host: "127.0.0.1", port: options.port, ...options.tls, onread } as ConnectionOptions);
    this.#socket.setNoDelay(true);
    this.#socket.on("error", options.onError);
    this.#socket.on("close", () => options.onError(new Error("the server closed the connection")));
  }

  connected(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once("secureConnect", resolve);
    });
  }

  send(request: Buffer): void {
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.removeAllListeners("error");
    this.#socket.on("error", () => {});
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    this.#options.onBytes?.(bytes);
    let at = 0;
    while (at < bytes.length && !this.#inStream) {
      if (this.#remaining > 0) {
        const taken = Math.min(this.#remaining, bytes.length - at);
        this.#remaining -= taken;
        at += taken;
      } else {
        const bodyAt = this.#readHeaders(bytes, at);
        if (bodyAt < 0) {
          return;
        }
        at = bodyAt;
      }
      if (this.#remaining === 0) {
        this.#options.onResponse(this.#code);
      }
    }
  }

  /** Where the body starts; -1 while the headers are not complete. */
  #readHeaders(bytes: Buffer, from: number): number {
    const before = this.#partial;
    const whole = before === undefined ? bytes.subarray(from) : Buffer.concat([before, bytes.subarray(from)]);
    const end = whole.indexOf(headersEnd);
    if (end < 0) {
      this.#partial = Buffer.from(whole);
      return -1;
    }
    this.#partial = undefined;
    const text = whole.toString("latin1", 0, end);
    this.#code = Number(text.slice(9, 12));
    if (this.#options.stream === true) {
      this.#inStream = true;
    } else {
      const match = /\r\ncontent-length: *(\d+)/i.exec(text);
      if (match === null) {
        throw new Error(`an answer without Content-Length: ${text}`);
      }
      this.#remaining = Number(match[1]);
    }
    return from + end + headersEnd.length - (before?.length ?? 0);
  }
}
