import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { FrameReader, frameFlag, frameOf, frameType, preface, settingsFrame } from "./frames.js";
import { FieldDecoder } from "./hpack/field-decoder.js";
import { FieldEncoder } from "./hpack/field-encoder.js";
import { type ConnectionLimits, Http2Connection, type Serving } from "./http2-connection.js";
import type { Http2Stream, StreamReceiver } from "./http2-stream.js";

/** One end of a connection in memory, whose other end a test plays. */
export class MemorySocket extends Duplex {
  /** The bytes that were written. */
  readonly written: Buffer[] = [];
  /** Set while the peer reads nothing. */
  isStalled = false;
  #release: (() => void) | undefined;

  /** `highWaterMark`: bytes that it takes before it asks writers to wait. */
  constructor(highWaterMark = 16_384) {
    super({ highWaterMark });
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.written.push(Buffer.from(bytes));
    if (this.isStalled) {
      this.#release = callback;
    } else {
      callback();
    }
  }

  /** Lets the peer read again. */
  release(): void {
    this.isStalled = false;
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }

  ref(): void {}

  unref(): void {}
}

/** A frame that the connection has sent. */
export interface SentFrame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** Receiver that writes down what it is told, as one line an event. */
export function recorder(events: string[], label = ""): StreamReceiver {
  const note = (event: string): void => {
    events.push(`${label}${event}`);
  };
  return {
    onHead: (fields) => note(`head ${fields.join(",")}`),
    onData: (bytes) => note(`data ${bytes.length}`),
    onTrailers: (fields) => note(`trailers ${fields.join(",")}`),
    onEnd: () => note("end"),
    onClose: (code) => note(`close ${code}`),
  };
}

/** Limits of the connections of these tests. */
export const testLimits: ConnectionLimits = { streamWindow: 65_535, connectionWindow: 1_000_000, maxListBytes: 8192 };

/** Head of a request without content. */
export const requestHead: readonly string[] = [
  ...[":method", "GET", ":scheme", "http", ":path", "/"],
  ...[":authority", "test"],
];

/**
 * A peer of one connection, which sends bytes as the test says, be they HTTP/2 or not. The bytes are handed to the
 * connection at once: what it throws, the test throws.
 */
export class RawPeer {
  readonly socket: MemorySocket;
  readonly connection: Http2Connection;
  /** Lines of what the connection and its streams have told. Each line of a stream begins with its number. */
  readonly events: string[] = [];
  /** Streams that the connection has accepted or begun. */
  readonly streams: Http2Stream[] = [];
  readonly encoder = new FieldEncoder();

  constructor(
    role: "client" | "server",
    options: { limits?: Partial<ConnectionLimits>; maxStreams?: number; highWaterMark?: number } = {},
  ) {
    this.socket = new MemorySocket(options.highWaterMark);
    const serving: Serving = {
      maxStreams: options.maxStreams ?? 10,
      maxPendingBytes: 1024 * 1024,
      accept: (stream, fields, isEnd) => {
        this.streams.push(stream);
        this.events.push(`${stream.id} request ${fields.join(",")}${isEnd ? " without content" : ""}`);
        return recorder(this.events, `${stream.id} `);
      },
    };
    this.connection = new Http2Connection(this.socket as unknown as Socket, {
      limits: { ...testLimits, ...options.limits },
      serving: role === "server" ? serving : undefined,
      listener: {
        onReady: () => this.events.push("ready"),
        onGoaway: (lastStreamId) => this.events.push(`goaway ${lastStreamId}`),
        onClose: (error) => this.events.push(error === undefined ? "closed" : `lost: ${error.message}`),
      },
    });
  }

  /** Returns a peer that has said what comes before requests. */
  static ready(...args: ConstructorParameters<typeof RawPeer>): RawPeer {
    const peer = new RawPeer(...args);
    peer.send(beginning(args[0]));
    return peer;
  }

  /** Hands bytes to the connection. */
  send(...bytes: readonly Buffer[]): this {
    this.socket.emit("data", Buffer.concat(bytes));
    return this;
  }

  /** Begins a request of a connection that is a client. */
  request(fields: readonly string[] = requestHead, isEnd = true): Http2Stream {
    const label = `${1 + 2 * this.streams.length} `;
    const stream = this.connection.request(fields, isEnd, recorder(this.events, label));
    this.streams.push(stream);
    return stream;
  }

  /** Returns a frame of fields, which ends its block; `flags` are added. */
  headers(streamId: number, fields: readonly string[], flags = 0): Buffer {
    return headersFrame(streamId, this.encoder.encode(fields), flags | frameFlag.endHeaders);
  }

  /** Returns the frames that the connection has sent, once it has sent those of this round of the event loop. */
  async sent(): Promise<SentFrame[]> {
    await new Promise((resolve) => setImmediate(resolve));
    const frames: SentFrame[] = [];
    const reader = new FrameReader((type, flags, streamId, payload) => frames.push({ type, flags, streamId, payload }));
    const bytes = Buffer.concat(this.socket.written);
    reader.push(bytes.subarray(0, preface.length).equals(preface) ? bytes.subarray(preface.length) : bytes);
    return frames;
  }

  /** Returns the complaints of the connection: resets of streams and its end, as text. */
  async complaints(): Promise<string[]> {
    return (await this.sent()).flatMap(({ type, streamId, payload }) => {
      if (type === frameType.rstStream) {
        return [`reset ${streamId}: ${payload.readUInt32BE(0)}`];
      }
      return type === frameType.goaway ? [`goaway: ${payload.readUInt32BE(4)}`] : [];
    });
  }
}

/** Returns the bytes with which a peer begins that is no `role`: a client's preface, or a server's settings. */
export function beginning(role: "client" | "server"): Buffer {
  return role === "server" ? Buffer.concat([preface, settingsFrame([])]) : settingsFrame([]);
}

/** Returns a frame of a block of fields that is encoded already. */
export function headersFrame(streamId: number, block: Buffer, flags: number): Buffer {
  return frameOf({ type: frameType.headers, flags, streamId }, block);
}

/** Returns a frame of data. */
export function dataFrame(streamId: number, data: string | Buffer, flags = 0): Buffer {
  return frameOf({ type: frameType.data, flags, streamId }, Buffer.from(data as string));
}

/** Returns the fields of the frames of one stream, in one text a block. */
export function fieldsOf(frames: readonly SentFrame[]): string[] {
  const decoder = new FieldDecoder({ maxTableBytes: 4096, maxListBytes: 1_000_000 });
  return frames
    .filter(({ type }) => type === frameType.headers)
    .map(({ payload }) => decoder.decode(payload).fields.join(","));
}
