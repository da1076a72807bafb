import { Duplex } from "node:stream";
import type { UnreadBytes } from "./unread-bytes.js";

/** Functions of a connection that one of its streams calls. */
export interface StreamSender {
  readonly unread: UnreadBytes;
  /** Sends data; calls back when more may be sent. */
  send(data: Buffer, sent: (error?: Error) => void): void;
  /** Sends the end of this side's direction. */
  sendEnd(sent: (error?: Error) => void): void;
  /** Tells the peer that the stream was destroyed before both of its directions had ended. */
  sendReset(): void;
  /** Takes the stream out of the connection, since both directions have ended. */
  forget(): void;
}

/**
 * One of several streams on a connection. Its directions end separately: `end()` ends the one, and the peer the other.
 * After a reset by the peer, or the end of the connection, what was received can be read to its end, and writing fails.
 * Errors need no listener.
 */
export class MultiplexedStream extends Duplex {
  readonly #sender: StreamSender;
  readonly #pending: Buffer[] = [];
  #wants = true;
  #remoteEnded = false;
  #localEnded: boolean;
  #closed: Error | undefined;

  /** Makes a stream; with `ended`, this side sends nothing, and the peer knows. */
  constructor(sender: StreamSender, ended: boolean) {
    // A loop over a stream that destroys itself would take the other direction with it.
    super({ allowHalfOpen: true, autoDestroy: false });
    this.#sender = sender;
    this.#localEnded = ended;
    this.on("error", () => this.destroy());
    this.once("end", () => this.#destroyWhenDone());
    this.once("finish", () => this.#destroyWhenDone());
    if (ended) {
      this.end();
    }
  }

  /** Takes data from the connection. */
  receive(data: Buffer): void {
    if (this.destroyed || this.#remoteEnded || data.length === 0) {
      return;
    }
    if (this.#wants) {
      this.#wants = this.push(data);
      return;
    }
    this.#pending.push(data);
    this.#sender.unread.add(data);
  }

  /** Takes the end of the peer's direction from the connection. */
  receiveEnd(): void {
    if (!this.#remoteEnded) {
      this.#remoteEnded = true;
      this.#forgetWhenEnded();
      this.#pushPending();
    }
  }

  /** Takes the end of both directions from the connection. Writing fails with `reason` from now on. */
  receiveClose(reason: Error): void {
    this.#closed ??= reason;
    this.#sender.forget();
    this.receiveEnd();
    this.#destroyWhenDone();
  }

  override _read(): void {
    this.#wants = true;
    this.#pushPending();
  }

  override _write(data: Buffer, _encoding: BufferEncoding, written: (error?: Error | null) => void): void {
    if (this.#closed === undefined) {
      this.#sender.send(data, written);
    } else {
      written(this.#closed);
    }
  }

  override _final(written: (error?: Error | null) => void): void {
    if (this.#closed !== undefined || this.#localEnded) {
      written();
      return;
    }
    this.#localEnded = true;
    this.#sender.sendEnd(written);
    this.#forgetWhenEnded();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#closed === undefined && !(this.#localEnded && this.#remoteEnded)) {
      this.#sender.sendReset();
    }
    this.#sender.forget();
    for (const piece of this.#pending.splice(0)) {
      this.#sender.unread.remove(piece);
    }
    done(error);
  }

  #pushPending(): void {
    while (this.#wants && this.#pending.length > 0) {
      const piece = this.#pending.shift() as Buffer;
      this.#sender.unread.remove(piece);
      this.#wants = this.push(piece);
    }
    if (this.#remoteEnded && this.#pending.length === 0 && !this.readableEnded && !this.destroyed) {
      this.push(null);
    }
  }

  #destroyWhenDone(): void {
    if (this.readableEnded && (this.writableFinished || this.#closed !== undefined)) {
      this.destroy();
    }
  }

  #forgetWhenEnded(): void {
    if (this.#localEnded && this.#remoteEnded) {
      this.#sender.forget();
    }
  }
}
