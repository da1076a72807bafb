import type { Duplex } from "node:stream";
import type { StreamSender } from "../multiplexing/multiplexed-stream.js";
import { UnreadBytes } from "../multiplexing/unread-bytes.js";
import { SpdyProtocolError, SpdyStreamClosedError } from "./errors.js";
import { FrameDecoder } from "./frame-decoder.js";
import {
  controlFrame,
  controlType,
  dataFrameHeader,
  finFlag,
  goAwayStatus,
  resetStatus,
  type SpdyFrame,
} from "./frames.js";
import { encodeHeaderBlock, type SpdyHeaders } from "./header-block.js";
import { HeaderCompressor } from "./header-compression.js";
import { SpdyStream } from "./spdy-stream.js";

/** Options of a SPDY connection. */
export interface SpdyConnectionOptions {
  /** The side of the connection: `client` opens streams of odd numbers, `server` those of even ones. */
  readonly role: "client" | "server";
  /** Decides by its headers whether a stream of the peer is accepted. Default: all are. */
  readonly accepts?: (headers: SpdyHeaders) => boolean;
  /** Takes a stream that the peer has opened and that was accepted. Without this function none is. */
  readonly onStream?: (stream: SpdyStream) => void;
  /** Streams of the peer that may be open at a time; more are refused. Default 1,000. */
  readonly maxStreams?: number;
  /** Bytes that may wait for the readers of all streams, before the connection is no longer read. Default 1 MiB. */
  readonly maxUnreadBytes?: number;
  /** Time that the peer has for closing its side after `close()`, in milliseconds. Default 10,000. */
  readonly closeTimeoutMs?: number;
}

interface Expectation<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

const maxDataFrameBytes = 64 * 1024;
/** Bytes of answers (to pings, and resets) that may wait for a peer which does not read. */
const maxWaitingAnswerBytes = 1024 * 1024;
const lastStreamId = 0x7fffffff;

/**
 * A SPDY/3.1 connection on a socket, after the HTTP upgrade. The peers of the field (spdystream of Go) know no flow control
 * windows: they neither send WINDOW_UPDATE nor wait for it. Backpressure is that of the socket: when the reader of one
 * stream is slow, the whole connection is no longer read once `maxUnreadBytes` wait (docs/decisions/0066-stand-in-kubelets.md).
 */
export class SpdyConnection {
  /** Resolves when the connection has ended: to its error, or to `undefined` after an orderly end. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** Aborts when the connection has ended, or its peer has closed it. */
  readonly signal: AbortSignal;

  readonly #socket: Duplex;
  readonly #onStream: ((stream: SpdyStream) => void) | undefined;
  readonly #accepts: (headers: SpdyHeaders) => boolean;
  readonly #maxStreams: number;
  readonly #closeTimeoutMs: number;
  readonly #decoder = new FrameDecoder();
  readonly #compressor = new HeaderCompressor();
  readonly #streams = new Map<number, SpdyStream>();
  /** Streams that wait for the peer's reply, and pings, by number. */
  readonly #opening = new Map<number, Expectation<SpdyStream>>();
  readonly #pings = new Map<number, Expectation<void>>();
  /** Callbacks of writes that wait until the socket takes more. */
  readonly #waiting: ((error?: Error) => void)[] = [];
  readonly #unread: UnreadBytes;
  readonly #abort = new AbortController();
  #nextStreamId: number;
  #nextPingId: number;
  #lastPeerStreamId = 0;
  #goingAway = false;
  #closing = false;
  #error: Error | undefined;

  /** `head` holds bytes that came with the upgrade. */
  constructor(socket: Duplex, options: SpdyConnectionOptions, head: Buffer = Buffer.alloc(0)) {
    this.#socket = socket;
    this.#onStream = options.onStream;
    this.#accepts = options.accepts ?? (() => true);
    this.#maxStreams = options.maxStreams ?? 1000;
    this.#closeTimeoutMs = options.closeTimeoutMs ?? 10_000;
    this.#nextStreamId = options.role === "client" ? 1 : 2;
    this.#nextPingId = this.#nextStreamId;
    this.#unread = new UnreadBytes(options.maxUnreadBytes ?? 1024 * 1024, (paused) => this.#setPaused(paused));
    this.signal = this.#abort.signal;
    this.ended = new Promise((resolve) => {
      socket.once("close", () => {
        this.#end();
        resolve(this.#error);
      });
    });
    socket.on("error", (error) => {
      this.#error ??= error;
    });
    socket.on("drain", () => this.#drain());
    socket.once("end", () => this.#peerEnded());
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    if (head.length > 0) {
      this.#receive(head);
    }
  }

  /**
   * Opens a stream and waits until the peer has accepted it. With `end` this side sends nothing. Rejects with
   * SpdyStreamClosedError if the peer refuses the stream or the connection ends.
   */
  open(headers: SpdyHeaders, { end = false }: { readonly end?: boolean } = {}): Promise<SpdyStream> {
    if (this.#goingAway || this.signal.aborted || this.#nextStreamId > lastStreamId) {
      return Promise.reject(new SpdyStreamClosedError("the connection takes no new streams"));
    }
    const id = this.#nextStreamId;
    this.#nextStreamId += 2;
    return new Promise((resolve, reject) => {
      this.#opening.set(id, { resolve, reject });
      // Neither associated to another stream nor with a priority or a slot.
      this.#sendHeaders(controlType.synStream, end ? finFlag : 0, [id, 0, Buffer.alloc(2)], headers);
      this.#streams.set(id, new SpdyStream(this.#senderOf(id), { id, headers, ended: end }));
    });
  }

  /** Sends a ping and waits for its answer. Rejects with SpdyStreamClosedError if the connection ends before it. */
  ping(): Promise<void> {
    if (this.signal.aborted) {
      return Promise.reject(new SpdyStreamClosedError("the connection has ended"));
    }
    const id = this.#nextPingId;
    this.#nextPingId = id + 2 > lastStreamId ? id % 2 : id + 2;
    return new Promise((resolve, reject) => {
      this.#pings.set(id, { resolve, reject });
      this.#send(controlFrame(controlType.ping, 0, id));
    });
  }

  /**
   * Ends the connection after what was written: streams that are open are reset, and the peer gets `closeTimeoutMs` for
   * closing its side. Resolves when the connection has ended.
   */
  async close(): Promise<void> {
    if (!this.#closing) {
      for (const stream of [...this.#streams.values()]) {
        stream.destroy();
      }
      this.#finish(goAwayStatus.ok);
    }
    await this.ended;
  }

  /** Ends the connection at once. */
  destroy(error?: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    if (this.#closing) {
      return;
    }
    try {
      for (const frame of this.#decoder.decode(bytes)) {
        this.#handle(frame);
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #handle(frame: SpdyFrame): void {
    switch (frame.type) {
      case "data":
        this.#receiveData(frame.streamId, frame.data, frame.fin);
        break;
      case "syn-stream":
        this.#receiveStream(frame.streamId, frame.headers, frame.fin);
        break;
      case "syn-reply":
        this.#receiveReply(frame.streamId, frame.fin);
        break;
      case "headers":
        this.#receiveData(frame.streamId, Buffer.alloc(0), frame.fin);
        break;
      case "rst-stream":
        this.#receiveReset(frame.streamId, frame.status);
        break;
      case "ping":
        this.#receivePing(frame.id);
        break;
      case "go-away":
        this.#goingAway = true;
        break;
      case "ignored":
        break;
    }
  }

  #receiveData(id: number, data: Buffer, fin: boolean): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      // A frame for a stream that is closed on this side may have been under way.
      this.#mustHaveBeenOpened(id);
      return;
    }
    stream.receive(data);
    if (fin) {
      stream.receiveEnd();
    }
  }

  #receiveStream(id: number, headers: SpdyHeaders, fin: boolean): void {
    if (id % 2 === this.#nextStreamId % 2 || id <= this.#lastPeerStreamId) {
      throw new SpdyProtocolError(`the peer must not open stream ${id} after stream ${this.#lastPeerStreamId}`);
    }
    this.#lastPeerStreamId = id;
    const isFull = this.#goingAway || this.#streams.size >= this.#maxStreams;
    if (this.#onStream === undefined || isFull || !this.#accepts(headers)) {
      this.#answer(resetFrame(id, resetStatus.refusedStream));
      return;
    }
    const stream = new SpdyStream(this.#senderOf(id), { id, headers, ended: false });
    this.#streams.set(id, stream);
    this.#sendHeaders(controlType.synReply, 0, [id], new Map());
    this.#onStream(stream);
    if (fin) {
      stream.receiveEnd();
    }
  }

  #receiveReply(id: number, fin: boolean): void {
    const stream = this.#streams.get(id);
    const opening = this.#opening.get(id);
    if (opening === undefined || stream === undefined) {
      throw new SpdyProtocolError(`a reply came to stream ${id}, which waits for none`);
    }
    this.#opening.delete(id);
    if (fin) {
      stream.receiveEnd();
    }
    opening.resolve(stream);
  }

  #receiveReset(id: number, status: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      this.#mustHaveBeenOpened(id);
      return;
    }
    const reason = new SpdyStreamClosedError(`the peer has reset stream ${id} (status ${status})`);
    this.#opening.get(id)?.reject(reason);
    this.#opening.delete(id);
    stream.receiveClose(reason);
  }

  #receivePing(id: number): void {
    if (id % 2 === this.#nextPingId % 2) {
      this.#pings.get(id)?.resolve();
      this.#pings.delete(id);
      return;
    }
    this.#answer(controlFrame(controlType.ping, 0, id));
  }

  #mustHaveBeenOpened(id: number): void {
    const isOurs = id % 2 === this.#nextStreamId % 2;
    if (isOurs ? id >= this.#nextStreamId : id > this.#lastPeerStreamId) {
      throw new SpdyProtocolError(`a frame names stream ${id}, which was never opened`);
    }
  }

  /** Ends the connection for a fault of the peer, or of the function that takes streams. */
  #fail(error: Error): void {
    this.#error ??= error;
    this.#closeStreams(`the connection has ended: ${error.message}`);
    this.#finish(error instanceof SpdyProtocolError ? goAwayStatus.protocolError : goAwayStatus.internalError);
    this.#socket.once("finish", () => this.#socket.destroy());
  }

  /** Ends the direction of this side, and gives the peer some time to end its own. */
  #finish(status: number): void {
    this.#closing = true;
    this.#goingAway = true;
    this.#send(controlFrame(controlType.goAway, 0, this.#lastPeerStreamId, status));
    this.#socket.end();
    // Data of the peer that nobody read would turn the end into a reset, and the peer would lose what it was sent.
    this.#socket.resume();
    const timer = setTimeout(() => this.#socket.destroy(), this.#closeTimeoutMs);
    timer.unref();
    this.#socket.once("close", () => clearTimeout(timer));
  }

  #peerEnded(): void {
    if (!this.#decoder.isBetweenFrames) {
      this.#error ??= new SpdyProtocolError("the connection ended within a frame");
    }
    this.#closeStreams("the connection has ended");
    this.#closing = true;
    this.#socket.end();
  }

  #end(): void {
    const reason =
      this.#error === undefined ? "the connection has ended" : `the connection has ended: ${this.#error.message}`;
    this.#closeStreams(reason);
    for (const sent of this.#waiting.splice(0)) {
      sent(new SpdyStreamClosedError(reason));
    }
  }

  #closeStreams(reason: string): void {
    for (const expectations of [this.#opening, this.#pings]) {
      for (const { reject } of expectations.values()) {
        reject(new SpdyStreamClosedError(reason));
      }
      expectations.clear();
    }
    for (const stream of [...this.#streams.values()]) {
      stream.receiveClose(new SpdyStreamClosedError(reason));
    }
    this.#abort.abort(this.#error);
  }

  #sendHeaders(type: number, flags: number, fixed: readonly (number | Buffer)[], headers: SpdyHeaders): void {
    const block = this.#compressor.compress(encodeHeaderBlock(headers));
    this.#send(controlFrame(type, flags, ...fixed, block));
  }

  /** Sends a frame that a frame of the peer has caused. Bounded: a peer that only sends would fill the memory. */
  #answer(frame: Buffer): void {
    if (this.#socket.writableLength > maxWaitingAnswerBytes) {
      throw new SpdyProtocolError("the peer does not read the answers to its frames");
    }
    this.#send(frame);
  }

  #send(bytes: Buffer): boolean {
    return this.#socket.writable ? this.#socket.write(bytes) : true;
  }

  #sendData(streamId: number, data: Buffer, fin: boolean, sent: (error?: Error) => void): void {
    this.#socket.cork();
    let hasRoom = true;
    let at = 0;
    do {
      const piece = data.subarray(at, at + maxDataFrameBytes);
      at += piece.length;
      hasRoom = this.#send(dataFrameHeader(streamId, piece.length, fin && at === data.length));
      hasRoom = piece.length === 0 ? hasRoom : this.#send(piece);
    } while (at < data.length);
    this.#socket.uncork();
    if (hasRoom) {
      sent();
    } else {
      this.#waiting.push(sent);
    }
  }

  #drain(): void {
    for (const sent of this.#waiting.splice(0)) {
      sent();
    }
  }

  #setPaused(paused: boolean): void {
    if (!this.#closing) {
      paused ? this.#socket.pause() : this.#socket.resume();
    }
  }

  #senderOf(id: number): StreamSender {
    return {
      unread: this.#unread,
      send: (data, sent) => this.#sendData(id, data, false, sent),
      sendEnd: (sent) => this.#sendData(id, Buffer.alloc(0), true, sent),
      sendReset: () => this.#send(resetFrame(id, resetStatus.cancel)),
      forget: () => this.#streams.delete(id),
    };
  }
}

function resetFrame(streamId: number, status: number): Buffer {
  return controlFrame(controlType.rstStream, 0, streamId, status);
}
