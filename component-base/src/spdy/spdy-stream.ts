import { Duplex } from "node:stream";
import { SpdyStreamClosedError } from "./errors.js";
import type { SpdyHeaders } from "./header-block.js";

/** Counted for each piece of data that waits, so that a flood of tiny frames is bounded, too. */
const pieceBytes = 64;

/** Functions of the connection that one of its streams needs. */
export interface StreamConnection {
  /** Sends data of a stream; calls back when more may be sent. */
  sendData(streamId: number, data: Buffer, fin: boolean, sent: (error?: Error) => void): void;
  sendReply(streamId: number): void;
  sendReset(streamId: number): void;
  /** Notes that data of a stream began to wait for its reader, or no longer does. */
  addUnread(bytes: number): void;
  /** Takes the stream out of the connection. */
  forget(streamId: number): void;
}

/** The frame that began a stream. */
export interface StreamBeginning {
  readonly id: number;
  readonly headers: SpdyHeaders;
  /** True if this side has sent the frame. Otherwise it has to reply. */
  readonly opened: boolean;
  /** True if the frame ended the direction of this side. */
  readonly ended: boolean;
}

/**
 * One stream of a SPDY connection. Its directions end separately: `end()` ends the one, and the peer the other. `destroy()`
 * resets the stream. After a reset by the peer, or the end of the connection, what was received can be read to its end,
 * and writing fails with SpdyStreamClosedError. Errors need no listener.
 */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly #connection: StreamConnection;
  readonly #pending: Buffer[] = [];
  #wants = true;
  #remoteEnded = false;
  #localEnded: boolean;
  #closed: Error | undefined;
  #replied: boolean;

  /** Made by a connection only. */
  constructor(connection: StreamConnection, { id, headers, opened, ended }: StreamBeginning) {
    // A loop over a stream that destroys itself would take the other direction with it.
    super({ allowHalfOpen: true, autoDestroy: false });
    this.#connection = connection;
    this.id = id;
    this.headers = headers;
    this.#replied = opened;
    this.#localEnded = ended;
    this.on("error", () => this.destroy());
    this.once("end", () => this.#destroyWhenDone());
    this.once("finish", () => this.#destroyWhenDone());
    if (ended) {
      this.end();
    }
  }

  /** Accepts a stream that the peer has opened. The connection does it when nobody has refused the stream. */
  reply(): void {
    if (!this.#replied) {
      this.#replied = true;
      this.#connection.sendReply(this.id);
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
    this.#connection.addUnread(data.length + pieceBytes);
  }

  /** Takes the end of the peer's direction from the connection. */
  receiveEnd(): void {
    if (!this.#remoteEnded) {
      this.#remoteEnded = true;
      this.#forgetWhenEnded();
      this.#pushPending();
    }
  }

  /** Takes the end of both directions from the connection: a reset, or the end of the connection. */
  receiveClose(reason: string): void {
    this.#closed ??= new SpdyStreamClosedError(reason);
    this.#connection.forget(this.id);
    this.receiveEnd();
    this.#destroyWhenDone();
  }

  override _read(): void {
    this.#wants = true;
    this.#pushPending();
  }

  override _write(data: Buffer, _encoding: BufferEncoding, written: (error?: Error | null) => void): void {
    if (this.#closed !== undefined) {
      written(this.#closed);
      return;
    }
    this.reply();
    this.#connection.sendData(this.id, data, false, written);
  }

  override _final(written: (error?: Error | null) => void): void {
    if (this.#closed !== undefined || this.#localEnded) {
      written();
      return;
    }
    this.reply();
    this.#localEnded = true;
    this.#connection.sendData(this.id, Buffer.alloc(0), true, written);
    this.#forgetWhenEnded();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#closed === undefined && !(this.#localEnded && this.#remoteEnded)) {
      this.#connection.sendReset(this.id);
    }
    this.#connection.forget(this.id);
    for (const piece of this.#pending.splice(0)) {
      this.#connection.addUnread(-piece.length - pieceBytes);
    }
    done(error);
  }

  #pushPending(): void {
    while (this.#wants && this.#pending.length > 0) {
      const piece = this.#pending.shift() as Buffer;
      this.#connection.addUnread(-piece.length - pieceBytes);
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
      this.#connection.forget(this.id);
    }
  }
}
