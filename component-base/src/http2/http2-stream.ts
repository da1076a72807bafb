import { HeldData } from "./held-data.js";
import { errorCode } from "./http2-error.js";

/** The receiver of what the peer sends on one stream. */
export interface StreamReceiver {
  /** Called with the final head of a response: names in lower case and values in turn, `:status` first. */
  onHead(fields: readonly string[]): void;
  /** Called with data; the bytes may share memory with others. Their window is given back afterwards. */
  onData(bytes: Buffer): void;
  /** Called with the fields that follow the data. */
  onTrailers(fields: readonly string[]): void;
  /** Called when the peer has sent all. */
  onEnd(): void;
  /** Called once at the end of the stream; nothing else is called afterwards. `code`: the error; 0 for none. */
  onClose(code: number): void;
}

/** A receiver of what nobody needs any more. */
export const noReceiver: StreamReceiver = { onHead() {}, onData() {}, onTrailers() {}, onEnd() {}, onClose() {} };

/** The part of a connection that its streams use. */
export interface StreamCarrier {
  readonly isServer: boolean;
  /** Sends the head or the trailers of the stream. `isEnd`: nothing follows. */
  sendFields(stream: Http2Stream, fields: readonly string[], isEnd: boolean): void;
  /** Sends data of the stream as far as windows and the socket allow, and goes on when they do. */
  pump(stream: Http2Stream): void;
  reset(stream: Http2Stream, code: number): void;
  /** Has a client stop sending that has all of the response (RFC 9113, section 8.1), unless it soon has sent all. */
  resetIfUnended(stream: Http2Stream): void;
  /** Gives the peer room for as many bytes more on this stream. */
  giveBack(stream: Http2Stream, bytes: number): void;
  /** Forgets a stream that both sides have ended. */
  forget(stream: Http2Stream): void;
}

/** One request and its response on a connection of HTTP/2. */
export class Http2Stream {
  readonly id: number;
  readonly #carrier: StreamCarrier;
  /** The receiver; a server sets it before anything else happens. */
  receiver: StreamReceiver;
  /** Bytes that may be sent, as the peer allows. */
  sendWindow: number;
  /** Bytes that the peer may still send. */
  receiveWindow: number;
  /** Bytes that have been given back to the peer, which has not been told so yet. */
  untoldWindow = 0;
  /** Bytes of data that are still to come, as the head has announced; undefined if it has not. */
  expectedBytes: number | undefined;
  /** True once the head of the response has come. */
  hasHead = false;
  /** Data that has not been sent yet. */
  readonly pending: Buffer[] = [];
  #pendingBytes = 0;
  #endsAfterPending: "no" | "yes" | readonly string[] = "no";
  #hasSentAll = false;
  #hasReceivedAll: boolean;
  #isClosed = false;
  #resetCode: number = errorCode.noError;
  #isPaused = false;
  /** The data, trailers and end that wait until the stream is resumed, in this order. */
  readonly #heldData = new HeldData();
  #heldTrailers: readonly string[] | undefined;
  #isEndHeld = false;
  #hasDeliveredAll = false;
  #onDrained: (() => void)[] = [];

  constructor(
    id: number,
    carrier: StreamCarrier,
    parts: {
      readonly receiver: StreamReceiver;
      readonly sendWindow: number;
      readonly receiveWindow: number;
      /** True if the peer has ended its side with the head. */
      readonly hasReceivedAll: boolean;
    },
  ) {
    this.id = id;
    this.#carrier = carrier;
    this.receiver = parts.receiver;
    this.sendWindow = parts.sendWindow;
    this.receiveWindow = parts.receiveWindow;
    this.#hasReceivedAll = parts.hasReceivedAll;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The error with which either side has reset the stream; 0 for none. */
  get resetCode(): number {
    return this.#resetCode;
  }

  /** True once this side has sent its last frame. */
  get hasSentAll(): boolean {
    return this.#hasSentAll;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Bytes that windows or the socket have not let through yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Sends the head of a response, at a server, before anything else. `isEnd`: the response has no content. */
  respond(fields: readonly string[], isEnd: boolean): void {
    if (!this.#isClosed) {
      this.#carrier.sendFields(this, fields, isEnd);
      if (isEnd) {
        this.endWithHead();
      }
    }
  }

  /** Sends an interim response (RFC 9110, section 15.2), at a server, before the head. */
  inform(status: number): void {
    if (!this.#isClosed) {
      this.#carrier.sendFields(this, [":status", String(status)], false);
    }
  }

  /** Sends data. Nothing happens on a stream that is closed or has been ended. */
  write(bytes: Buffer): void {
    if (this.#isClosed || this.#endsAfterPending !== "no" || bytes.length === 0) {
      return;
    }
    this.pending.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#carrier.pump(this);
  }

  /** Ends this side, after data and with trailers if they are given. */
  end(bytes?: Buffer, trailers?: readonly string[]): void {
    if (this.#isClosed || this.#endsAfterPending !== "no") {
      return;
    }
    if (bytes !== undefined && bytes.length > 0) {
      this.pending.push(bytes);
      this.#pendingBytes += bytes.length;
    }
    this.#endsAfterPending = trailers ?? "yes";
    this.#carrier.pump(this);
  }

  /** Ends the stream in both directions at once. The receiver is told so. */
  reset(code: number): void {
    if (!this.#isClosed) {
      this.#carrier.reset(this, code);
      this.close(code);
    }
  }

  /** Leaves what the peer sends undelivered until `resume`, and the peer without more room than its window. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Delivers what has come meanwhile, as long as the stream is not paused again, and lets the peer go on. */
  resume(): void {
    this.#isPaused = false;
    while (!this.#isPaused && !this.#isClosed && this.#isHolding) {
      const bytes = this.#heldData.shift();
      if (bytes !== undefined) {
        this.#deliverData(bytes);
      } else if (this.#heldTrailers !== undefined) {
        const fields = this.#heldTrailers;
        this.#heldTrailers = undefined;
        this.receiver.onTrailers(fields);
      } else {
        this.#isEndHeld = false;
        this.#deliverEnd();
      }
    }
  }

  /** Calls `listener` once, when all data has been handed to the socket or the stream is closed; at once if it is so. */
  whenDrained(listener: () => void): void {
    if (this.#pendingBytes === 0 || this.#isClosed) {
      listener();
    } else {
      this.#onDrained.push(listener);
    }
  }

  /** True if the last of the pending data ends the stream; the carrier then sets END_STREAM. */
  get endsWithData(): boolean {
    return this.#endsAfterPending === "yes";
  }

  /** Tells the stream that the head which the carrier has sent was also its end. */
  endWithHead(): void {
    this.#endsAfterPending = "yes";
    this.#hasSentAll = true;
    this.#closeIfOver();
  }

  /** Tells the stream that the carrier has sent `bytes` of its pending data, and the end if that was all. */
  sent(bytes: number): void {
    this.#pendingBytes -= bytes;
    if (this.#pendingBytes > 0) {
      return;
    }
    const end = this.#endsAfterPending;
    if (end !== "no" && !this.#hasSentAll) {
      this.#hasSentAll = true;
      if (end !== "yes") {
        this.#carrier.sendFields(this, end, true);
      }
      this.#closeIfOver();
    }
    this.#wake();
  }

  /** Takes the head of a response from the carrier, as the methods below take what follows. */
  receiveHead(fields: readonly string[]): void {
    this.receiver.onHead(fields);
  }

  /** `isEnd`: nothing follows, so that no window is needed. */
  receiveData(bytes: Buffer, isEnd: boolean): void {
    this.#hasReceivedAll = isEnd;
    if (this.#isHolding) {
      this.#heldData.add(bytes);
    } else {
      this.#deliverData(bytes);
    }
  }

  receiveTrailers(fields: readonly string[]): void {
    this.#hasReceivedAll = true;
    if (this.#isHolding) {
      this.#heldTrailers = fields;
    } else {
      this.receiver.onTrailers(fields);
    }
  }

  receiveEnd(): void {
    this.#hasReceivedAll = true;
    if (this.#isHolding) {
      this.#isEndHeld = true;
    } else {
      this.#deliverEnd();
    }
  }

  /** True once the peer has sent its last frame, be it delivered or not. */
  get hasReceivedAll(): boolean {
    return this.#hasReceivedAll;
  }

  /** Drops what has not been sent: the peer takes no more. What it has sent is still delivered, and the end after it. */
  stopSending(): void {
    this.pending.length = 0;
    this.#pendingBytes = 0;
    this.#endsAfterPending = "yes";
    this.#hasSentAll = true;
    this.#closeIfOver();
    this.#wake();
  }

  /** Ends the stream without a word to the peer. */
  close(code: number): void {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    this.#resetCode = code;
    this.pending.length = 0;
    this.#pendingBytes = 0;
    this.#carrier.forget(this);
    this.receiver.onClose(code);
    this.#wake();
  }

  /** True if what comes must wait, for the stream to be resumed or behind what waits already. */
  get #isHolding(): boolean {
    return this.#isPaused || !this.#heldData.isEmpty || this.#heldTrailers !== undefined || this.#isEndHeld;
  }

  #deliverData(bytes: Buffer): void {
    this.receiver.onData(bytes);
    if (!this.#hasReceivedAll && !this.#isClosed) {
      this.#carrier.giveBack(this, bytes.length);
    }
  }

  #deliverEnd(): void {
    this.receiver.onEnd();
    this.#hasDeliveredAll = true;
    this.#closeIfOver();
  }

  #closeIfOver(): void {
    if (!this.#hasSentAll) {
      return;
    }
    if (this.#hasDeliveredAll || (this.#carrier.isServer && this.#hasReceivedAll)) {
      this.close(errorCode.noError); // with the response sent, nobody needs what a server still holds of the request
    } else if (this.#carrier.isServer) {
      this.#carrier.resetIfUnended(this);
      this.close(errorCode.noError);
    }
  }

  #wake(): void {
    if (this.#onDrained.length > 0) {
      const listeners = this.#onDrained;
      this.#onDrained = [];
      for (const listener of listeners) {
        listener();
      }
    }
  }
}
