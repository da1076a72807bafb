import type { LoadConnection, LoadConnectionOptions } from "../load-connection.js";
import { LoadSocket } from "../load-socket.js";
import { writeNumber } from "../numbered-bytes.js";
import { clientPreface, frame, frameFlags, frameTypes, maxWindow, windowUpdate } from "./frame.js";
import { FrameReader } from "./frame-reader.js";
import { type Http2Request, http2Request } from "./http2-request.js";
import { statusOfBlock } from "./status-of-block.js";

/** Number of received bytes after which the connection's window is opened again. */
const windowRefreshBytes = maxWindow / 2;

/** One HTTP/2 connection with any number of streams: it writes ready-made frames, and of an answer reads the status. */
export class Http2Connection implements LoadConnection {
  readonly #connection: LoadSocket;
  readonly #options: LoadConnectionOptions;
  readonly #request: Http2Request;
  #nextStreamId = 1;
  #unacknowledgedBytes = 0;
  /** True between the message of an answer of gRPC and its trailers. */
  #hasMessage = false;

  constructor(options: LoadConnectionOptions) {
    this.#options = options;
    this.#request = http2Request(options.request);
    const reader = new FrameReader({
      data: options.onBody,
      dataEnd: (flags, payloadBytes) => this.#dataEnd(flags, payloadBytes),
      control: (type, flags, payload) => this.#control(type, flags, payload),
    });
    const { tls } = options;
    this.#connection = new LoadSocket({
      ...options,
      tls: tls === undefined ? undefined : { ...tls, ALPNProtocols: ["h2"] },
      onRead: (bytes) => reader.read(bytes),
    });
  }

  async connected(): Promise<void> {
    await this.#connection.connected();
    this.#connection.write(clientPreface());
  }

  send(number: number): void {
    const template = this.#nextStreamId === 1 ? this.#request.first : this.#request.repeated;
    const bytes = Buffer.from(template.bytes);
    writeNumber(template, bytes, number);
    for (const offset of template.streamIdOffsets) {
      bytes.writeUInt32BE(this.#nextStreamId, offset);
    }
    this.#nextStreamId += 2;
    this.#connection.write(bytes);
  }

  close(): void {
    this.#connection.close();
  }

  #dataEnd(flags: number, payloadBytes: number): void {
    this.#unacknowledgedBytes += payloadBytes;
    this.#hasMessage = true;
    if (this.#unacknowledgedBytes > windowRefreshBytes) {
      this.#connection.write(windowUpdate(this.#unacknowledgedBytes));
      this.#unacknowledgedBytes = 0;
    }
    if ((flags & frameFlags.endStream) !== 0) {
      this.#options.onAnswer();
    }
  }

  #control(type: number, flags: number, payload: Buffer): void {
    switch (type) {
      case frameTypes.headers:
        this.#head(flags, payload);
        break;
      case frameTypes.settings:
        if ((flags & frameFlags.ack) === 0) {
          this.#connection.write(frame(frameTypes.settings, frameFlags.ack, 0, Buffer.alloc(0)));
        }
        break;
      case frameTypes.ping:
        if ((flags & frameFlags.ack) === 0) {
          this.#connection.write(frame(frameTypes.ping, frameFlags.ack, 0, payload));
        }
        break;
      case frameTypes.rstStream:
      case frameTypes.goaway:
        this.#options.onError(new Error(`the server sent a frame of type ${type}: ${payload.toString("hex")}`));
        break;
    }
  }

  #head(flags: number, block: Buffer): void {
    const { expectedCode, onError, onHead, onAnswer, request } = this.#options;
    if (request.isGrpc && (flags & frameFlags.endStream) !== 0) {
      this.#trailers(block);
      return;
    }
    const status = statusOfBlock(block);
    if (status !== undefined && status !== expectedCode) {
      onError(new Error(`an answer with status ${status} where ${expectedCode} is right`));
      return;
    }
    onHead?.();
    if ((flags & frameFlags.endStream) !== 0) {
      onAnswer();
    }
  }

  /** Ends an answer of gRPC: one with a status other than OK has no message before. */
  #trailers(block: Buffer): void {
    if (!this.#hasMessage) {
      this.#options.onError(new Error(`a call was refused: ${block.toString("latin1")}`));
      return;
    }
    this.#hasMessage = false;
    this.#options.onAnswer();
  }
}
