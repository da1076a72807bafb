import type { Socket } from "node:net";
import { AnsweredStreams } from "./answered-streams.js";
import { type FieldBlock, FieldBlocks } from "./field-blocks.js";
import { FrameSender } from "./frame-sender.js";
import { FrameReader, frameFlag, frameType, largestWindow, preface, settingId, unpadded } from "./frames.js";
import { errorCode, Http2Error } from "./http2-error.js";
import { Http2Stream, noReceiver, type StreamCarrier, type StreamReceiver } from "./http2-stream.js";
import { announcedLength, areTrailers, isRequest, statusOfResponse } from "./message-rules.js";
import { OpenStreams } from "./open-streams.js";
import {
  checkPriority,
  readGoaway,
  readPing,
  readReset,
  readSettings,
  readWindowUpdate,
  type Setting,
} from "./read-control-frames.js";
import { ResetBudget } from "./reset-budget.js";

/** The owner of a connection, which hears of its state. */
export interface ConnectionListener {
  /** Called once, when the peer has sent its first settings: it speaks HTTP/2. */
  onReady?(): void;
  /** Called when the peer takes no more streams. Those after `lastStreamId` it has not looked at; they are closed. */
  onGoaway?(lastStreamId: number): void;
  /** Called when the socket takes more after it had as much as it takes. */
  onDrain?(): void;
  /** Called once at the end, with the reason unless this side has closed the connection. Its streams are closed afterwards. */
  onClose(error: Error | undefined): void;
}

/** Limits of what a peer may send. */
export interface ConnectionLimits {
  /** Bytes that the peer may send on one stream before they have been taken. */
  readonly streamWindow: number;
  /** Bytes that it may send on all streams together: 65,535 at least, with which every connection begins. */
  readonly connectionWindow: number;
  /** Largest size of the fields of a message in bytes, counted as in RFC 9113, section 6.5.2. */
  readonly maxListBytes: number;
}

/** The serving side of a connection. */
export interface Serving {
  /** Called with each request; returns who takes the rest of it. `isEnd`: it has no content. */
  accept(stream: Http2Stream, fields: readonly string[], isEnd: boolean): StreamReceiver;
  /** Streams that may be open at a time; others are refused. */
  readonly maxStreams: number;
  /** Bytes of responses that may wait for the client; streams are refused while there are more. */
  readonly maxPendingBytes: number;
}

/** Window of a connection, and of each stream, until it is changed (RFC 9113, section 6.9.2), in bytes. */
const firstWindow = 65_535;
/** Largest payload of a frame that is sent, whatever the peer takes: streams share the connection by frames. */
const mostFrameBytes = 64 * 1024;
/** Milliseconds for what is still to be sent when a connection is given up. */
const lastWordsMs = 1000;
/** Milliseconds for the peer to take the last answers when a connection ends in order. */
const lastAnswersMs = 30_000;
/** Bytes of answers to control frames that may wait for a peer that does not read. */
const maxPendingControlBytes = 1024 * 1024;
/**
 * A connection of HTTP/2 (RFC 9113) over a socket, for its client, or for its server if `serving` is given. It costs a
 * third of Node's: streams are plain objects, and all frames of a round of the event loop are one write (decision 0078).
 * There is no push, and no priority.
 */
export class Http2Connection implements StreamCarrier {
  readonly #socket: Socket;
  readonly #listener: ConnectionListener;
  readonly #limits: ConnectionLimits;
  readonly #serving: Serving | undefined;
  readonly #sender: FrameSender;
  readonly #reader = new FrameReader((...frame) => this.#take(...frame));
  readonly #blocks: FieldBlocks;
  readonly #resets = new ResetBudget();
  readonly #streams = new OpenStreams();
  readonly #answered = new AnsweredStreams((id) => this.#sendReset(id, errorCode.noError));
  /** Streams with data that windows or the socket do not let through, the longest waiting first. */
  readonly #waiting = new Set<Http2Stream>();
  readonly #pings: (() => void)[] = [];
  #nextStreamId = 1;
  /** The last stream of the peer. */
  #lastPeerId = 0;
  #sendWindow = firstWindow;
  /** Bytes that have come, which have not been given back to the peer yet. */
  #untoldWindow = 0;
  #peerStreamWindow = firstWindow;
  /** The number of streams that the peer allows; until it has told, the least that it should allow. */
  #peerMaxStreams = 100;
  #hasSettings = false;
  /** True once the peer has taken the settings of this side. Until then it may use the first window of a stream. */
  #hasOwnSettings = false;
  /** The rest of the client's beginning, at a server. */
  #preface: Buffer;
  #isClosing = false;
  #isClosed = false;

  constructor(
    socket: Socket,
    parts: {
      readonly listener: ConnectionListener;
      readonly limits: ConnectionLimits;
      readonly serving?: Serving | undefined;
    },
  ) {
    const { limits, serving } = parts;
    if (limits.connectionWindow < firstWindow) {
      throw new TypeError(`connectionWindow is ${limits.connectionWindow}, but HTTP/2 begins with ${firstWindow}`);
    }
    this.#socket = socket;
    this.#listener = parts.listener;
    this.#limits = limits;
    this.#serving = serving;
    this.#preface = serving === undefined ? Buffer.alloc(0) : preface;
    this.#blocks = new FieldBlocks(limits.maxListBytes);
    this.#sender = new FrameSender(socket, () => {
      this.#pumpWaiting();
      this.#listener.onDrain?.();
    });
    if (serving === undefined) {
      this.#sender.sendBytes(preface);
    }
    this.#sender.sendSettings([
      serving === undefined ? [settingId.enablePush, 0] : [settingId.maxConcurrentStreams, serving.maxStreams],
      [settingId.initialWindowSize, limits.streamWindow],
      [settingId.maxHeaderListSize, limits.maxListBytes],
    ]);
    if (limits.connectionWindow > firstWindow) {
      this.#sender.sendWindowUpdate(0, limits.connectionWindow - firstWindow);
    }
    socket.on("data", (bytes) => this.#receive(bytes));
    socket.on("error", (error) => this.#lose(error));
    socket.on("end", () => this.#lose(new Error("the peer closed the connection")));
    socket.on("close", () => this.#lose(new Error("the connection is closed")));
  }

  get isServer(): boolean {
    return this.#serving !== undefined;
  }

  /** True if no more streams can be begun here. */
  get isClosed(): boolean {
    return this.#isClosed || this.#isClosing;
  }

  /** Number of streams that are open. */
  get openStreams(): number {
    return this.#streams.size;
  }

  /** Bytes of frames that neither the kernel nor TLS has taken. Data that waits for windows is not among them. */
  get unsentBytes(): number {
    return this.#sender.pendingBytes;
  }

  /** Number of streams that the peer allows at a time. */
  get maxStreams(): number {
    return this.#peerMaxStreams;
  }

  /**
   * Begins a request of a client: names in lower case and values in turn, pseudo-fields first. `isEnd`: it has no content.
   * Throws when the connection takes no more.
   */
  request(fields: readonly string[], isEnd: boolean, receiver: StreamReceiver): Http2Stream {
    if (this.isClosed || this.#nextStreamId > largestWindow) {
      throw new Error("the connection takes no more requests");
    }
    const stream = this.#addStream(this.#nextStreamId, receiver, false);
    this.#nextStreamId += 2;
    stream.expectedBytes = fields[0] === ":method" && fields[1] === "HEAD" ? 0 : undefined;
    this.#sender.sendFields(stream.id, fields, isEnd);
    if (isEnd) {
      stream.endWithHead();
    }
    return stream;
  }

  /** Keeps the process from ending by itself. */
  ref(): void {
    this.#socket.ref();
  }

  /** Lets the process end in spite of the connection. */
  unref(): void {
    this.#socket.unref();
  }

  /** Asks the peer for a sign of life. `onAnswer` is called when it comes, and never if it does not. */
  ping(onAnswer: () => void): void {
    this.#pings.push(onAnswer);
    this.#sender.sendPing(Buffer.alloc(8), false);
  }

  /** Takes no more streams, and closes the connection when those that are open have ended. */
  close(): void {
    if (!this.#isClosing) {
      this.#isClosing = true;
      this.#sender.sendGoaway(this.#lastPeerId, errorCode.noError);
      this.#closeIfIdle();
    }
  }

  /** Closes the connection and all its streams. `error`: the reason, of which the peer is told the code. */
  destroy(error?: Error): void {
    if (this.#isClosed) {
      return;
    }
    const code =
      error === undefined ? errorCode.noError : error instanceof Http2Error ? error.code : errorCode.internalError;
    this.#sender.sendGoaway(this.#lastPeerId, code);
    this.#sender.flush();
    this.#end(error, lastWordsMs);
  }

  sendFields(stream: Http2Stream, fields: readonly string[], isEnd: boolean): void {
    this.#sender.sendFields(stream.id, fields, isEnd);
  }

  pump(stream: Http2Stream): void {
    const { pending } = stream;
    let sent = 0;
    let taken = 0;
    while (taken < pending.length) {
      const first = pending[taken] as Buffer;
      const room = Math.min(this.#sender.maxFrameBytes, this.#sendWindow, stream.sendWindow);
      if (room <= 0 || this.#sender.isBlocked) {
        this.#waiting.add(stream);
        break;
      }
      const piece = first.length <= room ? first : first.subarray(0, room);
      if (piece === first) {
        taken++;
      } else {
        pending[taken] = first.subarray(room);
      }
      this.#sendWindow -= piece.length;
      stream.sendWindow -= piece.length;
      sent += piece.length;
      this.#sender.sendData(stream.id, piece, taken === pending.length && stream.endsWithData);
    }
    pending.splice(0, taken); // once: to shift each of very many small pieces would take as long as all of them
    if (sent === 0 && pending.length === 0 && stream.endsWithData && !stream.hasSentAll) {
      this.#sender.sendData(stream.id, noBytes, true);
    }
    if (sent > 0 || pending.length === 0) {
      stream.sent(sent);
    }
  }

  reset(stream: Http2Stream, code: number): void {
    if (!this.#isClosed) {
      this.#sendReset(stream.id, code);
    }
  }

  resetIfUnended(stream: Http2Stream): void {
    if (!this.#isClosed) {
      this.#answered.add(stream.id);
    }
  }

  giveBack(stream: Http2Stream, bytes: number): void {
    if (this.#isClosed) {
      return;
    }
    stream.untoldWindow += bytes;
    if (stream.untoldWindow * 2 >= this.#limits.streamWindow) {
      stream.receiveWindow += stream.untoldWindow;
      this.#sender.sendWindowUpdate(stream.id, stream.untoldWindow);
      stream.untoldWindow = 0;
    }
  }

  forget(stream: Http2Stream): void {
    this.#streams.delete(stream);
    if (this.#waiting.size > 0) {
      this.#waiting.delete(stream);
    }
    this.#closeIfIdle();
  }

  #addStream(id: number, receiver: StreamReceiver, hasReceivedAll: boolean): Http2Stream {
    const { streamWindow } = this.#limits;
    const receiveWindow = this.#hasOwnSettings ? streamWindow : Math.max(streamWindow, firstWindow);
    const parts = { receiver, sendWindow: this.#peerStreamWindow, receiveWindow, hasReceivedAll };
    const stream = new Http2Stream(id, this, parts);
    this.#streams.add(stream);
    return stream;
  }

  #sendReset(streamId: number, code: number): void {
    this.#sender.sendReset(streamId, code);
    this.#demandReading();
  }

  /** Gives up a peer that does not read the answers which it causes. Called after each of them. */
  #demandReading(): void {
    const { isBlocked, pendingBytes } = this.#sender;
    if (isBlocked && pendingBytes > maxPendingControlBytes + this.#limits.connectionWindow) {
      this.destroy(new Http2Error(errorCode.enhanceYourCalm, "the peer does not read the answers that it causes"));
    }
  }

  #pendingBytes(): number {
    let bytes = this.#sender.pendingBytes;
    for (const stream of this.#waiting) {
      bytes += stream.pendingBytes;
    }
    return bytes;
  }

  #pumpWaiting(): void {
    for (const stream of [...this.#waiting]) {
      if (this.#sendWindow <= 0 || this.#sender.isBlocked) {
        return;
      }
      this.#waiting.delete(stream);
      this.pump(stream);
    }
  }

  #receive(bytes: Buffer): void {
    try {
      const rest = this.#preface.length === 0 ? bytes : this.#takePreface(bytes);
      if (!this.#isClosed) {
        this.#reader.push(rest);
      }
    } catch (error) {
      this.destroy(error as Error);
      if (!(error instanceof Http2Error)) {
        throw error; // a fault of a receiver, which must not pass for one of the peer
      }
    }
  }

  #takePreface(bytes: Buffer): Buffer {
    const length = Math.min(this.#preface.length, bytes.length);
    if (!bytes.subarray(0, length).equals(this.#preface.subarray(0, length))) {
      throw new Http2Error(errorCode.protocolError, "the connection does not begin as HTTP/2 does");
    }
    this.#preface = this.#preface.subarray(length);
    return bytes.subarray(length);
  }

  #take(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (this.#isClosed) {
      return;
    }
    if (!this.#hasSettings && (type !== frameType.settings || (flags & frameFlag.ack) !== 0)) {
      throw protocolError("the first frame is not one of settings");
    }
    const open = this.#blocks.openStreamId;
    if (open !== undefined && (type !== frameType.continuation || streamId !== open)) {
      throw protocolError("a block of fields is interrupted");
    }
    switch (type) {
      case frameType.data:
        this.#takeData(flags, streamId, payload);
        break;
      case frameType.headers:
        this.#takeFields(this.#blocks.begin(flags, streamId, payload));
        break;
      case frameType.continuation:
        this.#takeFields(this.#blocks.goOn(flags, payload));
        break;
      case frameType.priority:
        checkPriority(streamId, payload);
        break;
      case frameType.rstStream:
        this.#takeReset(streamId, readReset(payload));
        break;
      case frameType.settings:
        this.#takeSettings(readSettings(flags, streamId, payload));
        break;
      case frameType.ping:
        this.#takePing(readPing(flags, streamId, payload), payload);
        break;
      case frameType.goaway:
        this.#takeGoaway(readGoaway(streamId, payload));
        break;
      case frameType.windowUpdate:
        this.#takeWindowUpdate(streamId, readWindowUpdate(payload));
        break;
      case frameType.pushPromise:
        throw protocolError("a push was sent, which is switched off");
      default: // unknown ones are ignored
    }
  }

  #takeData(flags: number, streamId: number, payload: Buffer): void {
    // The window of the connection is given back as data comes: what may wait here is bounded by the windows of streams.
    this.#untoldWindow += payload.length;
    if (this.#untoldWindow * 2 >= this.#limits.connectionWindow) {
      this.#sender.sendWindowUpdate(0, this.#untoldWindow);
      this.#untoldWindow = 0;
    }
    const isEnd = (flags & frameFlag.endStream) !== 0;
    const stream = this.#streamOf(streamId);
    if (stream === undefined) {
      this.#dropped(streamId, isEnd);
      return;
    }
    stream.receiveWindow -= payload.length;
    if (stream.receiveWindow < 0) {
      this.#punish(stream, errorCode.flowControlError);
      return;
    }
    if (stream.hasReceivedAll) {
      this.#punish(stream, errorCode.streamClosed);
      return;
    }
    if (this.#serving === undefined && !stream.hasHead) {
      this.#punish(stream, errorCode.protocolError);
      return;
    }
    const bytes = unpadded(flags, payload);
    if (stream.expectedBytes !== undefined) {
      stream.expectedBytes -= bytes.length;
    }
    if (isOfWrongLength(stream, isEnd)) {
      this.#punish(stream, errorCode.protocolError);
      return;
    }
    if (payload.length > bytes.length) {
      this.giveBack(stream, payload.length - bytes.length);
    }
    if (bytes.length > 0) {
      stream.receiveData(bytes, isEnd);
    }
    if (isEnd && !stream.isClosed) {
      stream.receiveEnd();
    }
  }

  /** Takes a block of fields; undefined for one that is not complete. */
  #takeFields(block: FieldBlock | undefined): void {
    if (block === undefined) {
      return;
    }
    const { streamId, fields, isEnd } = block;
    if (this.#serving !== undefined && streamId > this.#lastPeerId) {
      this.#takeRequest(this.#serving, block);
      return;
    }
    const stream = this.#streamOf(streamId);
    if (stream === undefined) {
      this.#dropped(streamId, isEnd);
      return;
    }
    const isBad = block.isMalformed || block.isTooLarge;
    if (isBad || stream.hasReceivedAll) {
      this.#punish(stream, isBad ? errorCode.protocolError : errorCode.streamClosed);
    } else if (this.#serving === undefined && !stream.hasHead) {
      this.#takeResponse(stream, fields, isEnd);
    } else if (isEnd && areTrailers(fields) && !isOfWrongLength(stream, true)) {
      stream.receiveTrailers(fields);
      if (!stream.isClosed) {
        stream.receiveEnd();
      }
    } else {
      this.#punish(stream, errorCode.protocolError);
    }
  }

  #takeRequest(serving: Serving, { streamId, isEnd, fields, isMalformed, isTooLarge }: FieldBlock): void {
    if (streamId % 2 === 0) {
      throw protocolError("a client began a stream of a server");
    }
    this.#lastPeerId = streamId;
    if (this.#isClosing || this.#streams.size >= serving.maxStreams || this.#pendingBytes() > serving.maxPendingBytes) {
      this.#sendReset(streamId, errorCode.refusedStream);
      return;
    }
    const length = announcedLength(fields);
    const isBad = isMalformed || isTooLarge || !isRequest(fields);
    if (isBad || (length !== undefined && !(length >= 0)) || (isEnd && (length ?? 0) > 0)) {
      this.#sendReset(streamId, errorCode.protocolError);
      return;
    }
    const stream = this.#addStream(streamId, noReceiver, isEnd);
    stream.hasHead = true;
    stream.expectedBytes = length;
    stream.receiver = serving.accept(stream, fields, isEnd);
    if (stream.isClosed) {
      stream.receiver.onClose(stream.resetCode); // the end came before there was anybody to tell it to
    } else if (isEnd) {
      stream.receiveEnd();
    }
  }

  #takeResponse(stream: Http2Stream, fields: readonly string[], isEnd: boolean): void {
    const status = statusOfResponse(fields);
    if (status === undefined || (status < 200 && (isEnd || status === 101))) {
      this.#punish(stream, errorCode.protocolError);
      return;
    }
    if (status < 200) {
      return; // another head follows
    }
    stream.hasHead = true;
    const length = announcedLength(fields);
    if (status === 204 || status === 304) {
      stream.expectedBytes = 0; // whatever length it announces (RFC 9113, section 8.1.1)
    } else if (length !== undefined && stream.expectedBytes === undefined) {
      stream.expectedBytes = length;
    }
    if (Number.isNaN(length) || isOfWrongLength(stream, isEnd)) {
      this.#punish(stream, errorCode.protocolError);
      return;
    }
    stream.receiveHead(fields);
    if (isEnd && !stream.isClosed) {
      stream.receiveEnd();
    }
  }

  /** Takes a frame for a stream that is over on this side. */
  #dropped(streamId: number, isEnd: boolean): void {
    if (isEnd) {
      this.#answered.delete(streamId);
    }
  }

  #takeReset(streamId: number, code: number): void {
    const stream = this.#streamOf(streamId);
    this.#answered.delete(streamId);
    this.#countReset();
    if (code === errorCode.noError && this.#serving === undefined && stream?.hasReceivedAll === true) {
      stream.stopSending(); // the response is whole, and must not be discarded (RFC 9113, section 8.1)
    } else {
      stream?.close(code);
    }
  }

  /** Resets a stream on which the peer breaks a rule. The work for it is as lost as if the peer had reset it itself. */
  #punish(stream: Http2Stream, code: number): void {
    stream.reset(code);
    this.#countReset();
  }

  #countReset(): void {
    if (this.#serving !== undefined) {
      this.#resets.count();
    }
  }

  /** Takes the settings of the peer; undefined for its acknowledgement of those of this side. */
  #takeSettings(settings: readonly Setting[] | undefined): void {
    if (settings === undefined) {
      this.#hasOwnSettings = true;
      return;
    }
    if (!this.#hasSettings) {
      this.#peerMaxStreams = Number.POSITIVE_INFINITY;
    }
    for (const setting of settings) {
      this.#takeSetting(setting);
    }
    // What a larger window lets through follows the acknowledgement: the peer allows it from then on.
    this.#sender.sendSettingsAck();
    this.#demandReading();
    this.#pumpWaiting();
    if (!this.#hasSettings && !this.#isClosed) {
      this.#hasSettings = true;
      this.#listener.onReady?.();
    }
  }

  #takeSetting([id, value]: Setting): void {
    switch (id) {
      case settingId.headerTableSize:
        this.#sender.limitTable(value);
        break;
      case settingId.maxConcurrentStreams:
        this.#peerMaxStreams = value;
        break;
      case settingId.initialWindowSize:
        this.#setPeerWindow(value);
        break;
      case settingId.maxFrameSize:
        this.#sender.maxFrameBytes = Math.min(value, mostFrameBytes);
        break;
      default: // others have no effect on this side
    }
  }

  #setPeerWindow(value: number): void {
    const difference = value - this.#peerStreamWindow;
    this.#peerStreamWindow = value;
    for (const stream of this.#streams) {
      stream.sendWindow += difference;
      if (stream.sendWindow > largestWindow) {
        throw new Http2Error(errorCode.flowControlError, "the window of a stream is too large");
      }
    }
  }

  #takePing({ isAnswer }: { readonly isAnswer: boolean }, payload: Buffer): void {
    if (isAnswer) {
      this.#pings.shift()?.();
    } else {
      this.#sender.sendPing(payload, true);
      this.#demandReading();
    }
  }

  #takeGoaway({ lastStreamId }: { readonly lastStreamId: number }): void {
    this.#isClosing = true;
    this.#listener.onGoaway?.(lastStreamId);
    if (this.#serving === undefined) {
      for (const stream of [...this.#streams]) {
        if (stream.id > lastStreamId) {
          stream.close(errorCode.refusedStream);
        }
      }
    }
    this.#closeIfIdle();
  }

  #takeWindowUpdate(streamId: number, bytes: number): void {
    if (streamId === 0) {
      this.#sendWindow += bytes;
      if (bytes === 0 || this.#sendWindow > largestWindow) {
        throw new Http2Error(
          bytes === 0 ? errorCode.protocolError : errorCode.flowControlError,
          "the window of the connection is changed by a wrong amount",
        );
      }
      this.#pumpWaiting();
      return;
    }
    const stream = this.#streamOf(streamId);
    if (stream === undefined) {
      return;
    }
    stream.sendWindow += bytes;
    if (bytes === 0 || stream.sendWindow > largestWindow) {
      this.#punish(stream, bytes === 0 ? errorCode.protocolError : errorCode.flowControlError);
    } else if (this.#waiting.delete(stream)) {
      this.pump(stream);
    }
  }

  /** Returns an open stream; undefined for one that has ended. Throws for one that has never begun. */
  #streamOf(id: number): Http2Stream | undefined {
    const stream = this.#streams.get(id);
    const hasBegun = id % 2 === 1 && (this.#serving === undefined ? id < this.#nextStreamId : id <= this.#lastPeerId);
    if (stream === undefined && !hasBegun) {
      throw protocolError("a frame is for a stream that has not begun");
    }
    return stream;
  }

  #closeIfIdle(): void {
    if (this.#isClosing && this.#streams.size === 0 && !this.#isClosed) {
      this.#sender.flush();
      this.#end(undefined, lastAnswersMs);
    }
  }

  #lose(error: Error): void {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    for (const stream of [...this.#streams]) {
      if (this.#serving === undefined && stream.hasReceivedAll) {
        stream.stopSending(); // its response is whole, and is delivered as soon as its receiver takes it
        this.#streams.delete(stream);
      }
    }
    this.#end(this.#isClosing && this.#streams.size === 0 ? undefined : error, lastWordsMs);
  }

  #end(error: Error | undefined, patienceMs: number): void {
    this.#isClosed = true;
    this.#waiting.clear();
    this.#answered.clear();
    this.#socket.destroySoon();
    setTimeout(() => this.#socket.destroy(), patienceMs).unref();
    this.#listener.onClose(error);
    for (const stream of [...this.#streams]) {
      stream.close(errorCode.internalError);
    }
  }
}

const noBytes = Buffer.alloc(0);

function protocolError(message: string): Http2Error {
  return new Http2Error(errorCode.protocolError, message);
}

function isOfWrongLength({ expectedBytes }: Http2Stream, isEnd: boolean): boolean {
  return expectedBytes !== undefined && (expectedBytes < 0 || (isEnd && expectedBytes > 0));
}
