import type { Socket } from "node:net";
import { inNextRound } from "../time/index.js";
import { badRequest, headTooLarge, type Refusal, refusalBytes } from "./refusal.js";
import { RepeatedHeads } from "./repeated-heads.js";
import { type BodySink, ChunkedBody, MeasuredBody, type RequestBody } from "./request-body.js";
import type { RequestHead } from "./request-head.js";
import { UnreadBytes } from "./unread-bytes.js";

/** The party that answers one request. */
export interface RequestReceiver extends BodySink {
  /** True once a part of the answer has been sent. */
  readonly hasBegun: boolean;
  /** Called when all of the body has come. */
  onEnd(): void;
  /** Called when the connection is gone before the answer was whole. */
  onClose(): void;
}

/** The serving side of a connection. */
export interface Http1Serving {
  /** Called with each request; returns who takes the rest of it. The next one follows when `answered` was called. */
  accept(head: RequestHead, connection: Http1Connection): RequestReceiver;
  /** Largest size of the head of a request in bytes. */
  readonly maxHeadBytes: number;
  /** The time in milliseconds in which a head must have come. */
  readonly headTimeoutMs: number;
  /** The time in milliseconds after which a connection without a request is closed. */
  readonly idleTimeoutMs: number;
}

/** Bytes of further requests that are read before their turn, so that the end of a client is noticed meanwhile. */
const maxReadAhead = 64 * 1024;
/** Milliseconds for the client to take the rest of the last answer from this process. */
const slowestAnswerMs = 30_000;
/** Milliseconds for the client to go once it has its last answer, or has ended its side and gets nothing. */
const lastAnswerMs = 1000;

/** The request under way. */
interface Current {
  readonly head: RequestHead;
  readonly receiver: RequestReceiver;
  readonly body: RequestBody | undefined;
}

/**
 * The server's side of a connection of HTTP/1.1 or 1.0 (RFC 9112). It reads one request after the other: the next is looked
 * at when the one before is answered. A request is no stream, and has no events: it costs less than one of Node's server.
 */
export class Http1Connection {
  readonly socket: Socket;
  readonly #serving: Http1Serving;
  readonly #unread = new UnreadBytes();
  readonly #heads = new RepeatedHeads();
  /** Bytes of the head that were searched for its end. */
  #searched = 0;
  #current: Current | undefined;
  /** True while the rest of a body is read that nobody wants: the next request is behind it. */
  #isDropping = false;
  #lastMethod = "";
  /** The reasons why the client is not read from: bits of `full` and `held`. */
  #stops = 0;
  #isReading = false;
  /** True once no more requests are taken. */
  #isLast = false;
  #isOver = false;
  #headTimer: NodeJS.Timeout | undefined;
  readonly #idleTimer: NodeJS.Timeout;

  constructor(socket: Socket, serving: Http1Serving) {
    this.socket = socket;
    this.#serving = serving;
    this.#idleTimer = setTimeout(this.#closeIfIdle, serving.idleTimeoutMs);
    this.#awaitHead();
    // A client may end its side before it has its answer. Before TLS is agreed on, one that ends its side is gone.
    socket.allowHalfOpen = true;
    socket.on("data", this.#receive);
    socket.on("end", this.#onEnd);
    socket.on("error", ignore); // "close" follows.
    socket.on("close", this.#onClose);
  }

  /** True once the connection is closed, or carries another protocol. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** True if no other request follows the one under way. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** Takes no more requests: the connection is closed behind the answer under way. */
  refuseMore(): void {
    this.#isLast = true;
    if (this.#current === undefined) {
      this.#finish();
    }
  }

  /** Stops reading the body under way: there is enough of it. */
  pause(): void {
    this.#stop(full);
  }

  /** Reads the body again. */
  resume(): void {
    this.#goOn(full);
  }

  /** Leaves the client unread, whatever becomes of its request, until the function returned is called. */
  hold(): () => void {
    this.#stop(held);
    return () => this.#goOn(held);
  }

  #stop(reason: number): void {
    this.#stops |= reason;
    this.socket.pause();
  }

  #goOn(reason: number): void {
    if ((this.#stops & reason) === 0 || this.#isOver) {
      return;
    }
    this.#stops &= ~reason;
    if (this.#stops === 0) {
      this.#advance();
    }
    if (this.#stops === 0) {
      this.socket.resume();
    }
  }

  /**
   * Goes on to the next request, when the answer to the one under way has been handed over. `keepsOpen` is false if the end
   * of the connection is that of the answer, or the client was told that the connection ends.
   */
  answered(keepsOpen: boolean): void {
    const current = this.#current;
    if (current === undefined || this.#isOver) {
      return;
    }
    if (!keepsOpen || this.#isLast) {
      this.#isLast = true;
      this.#current = undefined;
      this.#finish();
    } else if (current.body !== undefined && !current.body.isWhole) {
      this.#isDropping = true;
      this.#idleTimer.refresh();
      this.resume();
    } else {
      this.#next();
    }
  }

  /** Gives the connection to another protocol: nothing of it is read here any more. */
  take(): Socket {
    const { socket } = this;
    this.#leave();
    socket.off("data", this.#receive);
    socket.off("end", this.#onEnd);
    // A stream that was paused flows for nobody who does not ask for it; one that was listened to so flows for any listener.
    socket.on("readable", ignore).off("readable", ignore);
    if (this.#unread.length > 0) {
      socket.unshift(Buffer.from(this.#unread.bytes));
      this.#unread.clear();
    }
    return socket;
  }

  readonly #receive = (bytes: Buffer): void => {
    if (this.#isLast && this.#current === undefined) {
      return;
    }
    this.#unread.append(bytes);
    this.#advance();
  };

  readonly #advance = (): void => {
    if (this.#isReading) {
      return; // What is called back from below goes on in the loop above it.
    }
    this.#isReading = true;
    this.#readWhatIsHere();
    this.#isReading = false;
  };

  #readWhatIsHere(): void {
    while (!this.#isOver && !this.socket.destroyed && this.#stops === 0 && this.#unread.length > 0) {
      const current = this.#current;
      if (current === undefined) {
        if (this.#isLast || !this.#readHead()) {
          return;
        }
      } else if (current.body === undefined || current.body.isWhole) {
        if (this.#unread.length > maxReadAhead) {
          this.pause();
        }
        return;
      } else {
        this.#readBody(current, current.body);
      }
    }
  }

  /** Reads a head if it is here. Returns false if not, or if it cannot be served. */
  #readHead(): boolean {
    this.#skipBlankLines();
    const { bytes } = this.#unread;
    const end = bytes.indexOf("\r\n\r\n", Math.max(0, this.#searched - 3), "latin1");
    if ((end < 0 ? bytes.length : end) > this.#serving.maxHeadBytes) {
      this.#refuse(headTooLarge);
      return false;
    }
    if (end < 0) {
      if (hasBareLine(bytes, this.#searched)) {
        this.#refuse(badRequest);
      } else {
        this.#searched = bytes.length;
        this.#awaitHead();
      }
      return false;
    }
    this.#searched = 0;
    this.#headHasCome();
    const head = this.#heads.read(bytes.subarray(0, end));
    if ("status" in head) {
      this.#refuse(head);
      return false;
    }
    this.#unread.skip(end + 4);
    this.#lastMethod = head.method;
    if (!head.isPersistent) {
      this.#isLast = true;
    }
    this.#begin(head);
    return true;
  }

  #begin(head: RequestHead): void {
    const { bodyLength } = head;
    const body =
      bodyLength === undefined ? new ChunkedBody() : bodyLength === 0 ? undefined : new MeasuredBody(bodyLength);
    this.#current = { head, body, receiver: this.#serving.accept(head, this) };
  }

  /** Some clients send a line more behind a body than they tell of. */
  #skipBlankLines(): void {
    if (this.#lastMethod === "POST") {
      const { bytes } = this.#unread;
      let at = 0;
      while (at < 4 && (bytes[at] === lineFeed || bytes[at] === carriageReturn)) {
        at++;
      }
      this.#unread.skip(at);
    }
  }

  #readBody({ receiver }: Current, body: RequestBody): void {
    try {
      const taken = body.read(this.#unread.bytes, this.#isDropping ? nobody : receiver);
      this.#unread.skip(taken);
    } catch {
      if (this.#isDropping || receiver.hasBegun) {
        this.socket.destroy();
      } else {
        this.#refuse(badRequest);
      }
      return;
    }
    if (!body.isWhole) {
      return;
    }
    if (this.#isDropping) {
      this.#next();
    } else {
      receiver.onEnd();
    }
  }

  #next(): void {
    this.#current = undefined;
    this.#isDropping = false;
    this.#idleTimer.refresh();
    this.#goOn(full);
    if (this.#unread.length > 0) {
      inNextRound(this.#advance);
    }
  }

  /** Answers what is no request, and closes the connection. */
  #refuse(refusal: Refusal): void {
    const current = this.#current;
    this.#current = undefined;
    this.#isLast = true;
    if (!this.#isOver) {
      this.socket.write(refusalBytes(refusal));
      this.#finish();
    }
    current?.receiver.onClose();
  }

  /** Ends this side of the connection, and leaves the client a moment to take what was sent. */
  #finish(): void {
    this.#headHasCome();
    this.#unread.clear();
    if (this.socket.destroyed) {
      return;
    }
    const { socket } = this;
    const destroy = (): void => {
      socket.destroy();
    };
    let timer = setTimeout(destroy, slowestAnswerMs);
    socket.resume();
    socket.end(() => {
      clearTimeout(timer);
      timer = setTimeout(destroy, lastAnswerMs);
    });
    socket.once("close", () => clearTimeout(timer));
  }

  #awaitHead(): void {
    this.#headTimer ??= setTimeout(() => this.socket.destroy(), this.#serving.headTimeoutMs);
  }

  #headHasCome(): void {
    if (this.#headTimer !== undefined) {
      clearTimeout(this.#headTimer);
      this.#headTimer = undefined;
    }
  }

  readonly #closeIfIdle = (): void => {
    if (this.#current === undefined && this.#unread.length === 0) {
      this.refuseMore();
    } else if (this.#isDropping) {
      this.socket.destroy();
    }
  };

  /** A client that ends its side without the rest of its request, or without a request, is gone. */
  readonly #onEnd = (): void => {
    const current = this.#current;
    if (current === undefined || (current.body !== undefined && !current.body.isWhole)) {
      this.socket.destroy();
      return;
    }
    this.#isLast = true;
    this.#destroyWhenSilent();
  };

  /** A client that has ended its side may wait for an answer under way. What stays open and sends nothing is for nobody. */
  #destroyWhenSilent(): void {
    const { socket } = this;
    const { bytesWritten } = socket;
    setTimeout(() => {
      if (socket.bytesWritten === bytesWritten) {
        socket.destroy();
      } else {
        this.#destroyWhenSilent();
      }
    }, lastAnswerMs).unref();
  }

  readonly #onClose = (): void => {
    if (!this.#isOver) {
      this.#leave();
      const current = this.#current;
      this.#current = undefined;
      current?.receiver.onClose();
    }
  };

  #leave(): void {
    this.#isOver = true;
    this.#headHasCome();
    clearTimeout(this.#idleTimer);
  }
}

const nobody: BodySink = { onData: ignore, onTrailers: ignore };

/** Reasons why a client is not read from. */
const full = 1;
const held = 2;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Reports whether a line ends in LF alone: a head of such lines would never come to its end. */
function hasBareLine(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(lineFeed, from); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at - 1] !== carriageReturn) {
      return true;
    }
  }
  return false;
}

function ignore(): void {}
