import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Connection } from "../scheduling/connection.js";
import type { SharedPiece } from "./shared-piece.js";

/** Headers of an answer by name, in any case; a list is sent as that many headers. */
export type AnswerHeaders = Record<string, string | number | readonly string[]>;

/** Is told how an answer goes. */
export interface ExchangeObserver {
  /**
   * An answer that stays open is about to begin; it does when the promise returned resolves, if there is one. `begun`
   * follows.
   */
  beginning(code: number): Promise<unknown> | undefined;
  /** The head is about to be sent. */
  begun(code: number): void;
  /**
   * The end is about to be sent, or all of a short answer; it is when the promise returned resolves, if there is one. May be
   * asked twice.
   */
  ending(code: number): Promise<unknown> | undefined;
  /** Nobody takes the answer any more. It may not have ended, or not have begun: then the code is 0. */
  closed(code: number): void;
}

/**
 * One request and its answer, whatever version of HTTP carries them: the only thing through which the server reads from
 * and writes to a client. Every answer begins in `begin` or `send`, so that what has been answered can be observed here.
 */
export abstract class Exchange {
  /** As the client wrote it: methods are case-sensitive. */
  abstract readonly method: string;
  /** Path and query as they were sent. */
  abstract readonly target: string;
  /** By lower-case name. */
  abstract readonly headers: IncomingHttpHeaders;
  /**
   * The values of a header by its lower-case name, each as it was sent, read as UTF-8; where `headers` may join several or
   * drop all but one.
   */
  abstract headerValues(name: string): readonly string[];
  /** What it shares with the other exchanges of its client. */
  abstract readonly connection: Connection;
  /** The socket of the connection, for what TLS knows of the client. */
  abstract readonly socket: TLSSocket | undefined;
  /** The request's body as it arrives. */
  abstract readonly body: Readable;
  /** Nobody takes the answer any more: it is complete, or the client has gone away. */
  abstract readonly isClosed: boolean;
  #status = 0;
  #sentBytes = 0;
  #isComplete = false;
  #closeListeners: Set<() => void> | undefined;
  #observer: ExchangeObserver | undefined;

  /** The code of the answer; 0 before it has begun. */
  get status(): number {
    return this.#status;
  }

  /** Bytes of the body handed over so far, as they are after compression. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** The whole answer has been handed over. Closed but not complete: the client went away, or the answer was broken off. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Answers at once, with a body that is complete or with none. */
  send(status: number, headers: AnswerHeaders, body?: Buffer): void {
    this.#status = status;
    this.#isComplete = true;
    this.#sentBytes = body?.length ?? 0;
    this.#observer?.begun(status);
    this.#endWhen(this.mayEnd(), () => this.writeWhole(status, headers, body));
  }

  /** Has the answer observed from here on. There is one observer. */
  observe(observer: ExchangeObserver): void {
    this.#observer = observer;
    this.whenClosed(() => observer.closed(this.#status));
  }

  /**
   * Whether the end of the answer may be sent; if not yet, when the promise resolves. To be asked before the last byte of
   * an answer whose length the client knows: to it, that is the end.
   */
  mayEnd(): Promise<unknown> | undefined {
    return this.#observer?.ending(this.#status);
  }

  /** Whether an answer that stays open may begin; if not yet, when the promise resolves. */
  mayBegin(status: number): Promise<unknown> | undefined {
    return this.#observer?.beginning(status);
  }

  #endWhen(mayEnd: Promise<unknown> | undefined, end: () => void): void {
    if (mayEnd === undefined) {
      end();
      return;
    }
    void mayEnd.then(() => {
      if (!this.isClosed) {
        end();
      }
    });
  }

  /** Begins an answer whose body follows in pieces. The head may wait for the first of them. */
  begin(status: number, headers: AnswerHeaders): void {
    this.#status = status;
    this.#observer?.begun(status);
    this.writeHead(status, headers);
  }

  /** Sends the head without waiting for a piece. */
  abstract flush(): void;

  /**
   * Hands over a piece, which must stay as it is until `taken` is called; it never is when the client goes away before.
   * False: the client is slower than we are, wait for `whenDrained`.
   */
  write(piece: Buffer, taken?: () => void): boolean {
    this.#sentBytes += piece.length;
    return this.writePiece(piece, taken);
  }

  /** Hands over a piece that other answers send, too. False as for `write`. */
  writeShared(piece: SharedPiece): boolean {
    this.#sentBytes += piece.length;
    return this.writeSharedPiece(piece);
  }

  /** Ends an answer in pieces. */
  end(): void {
    this.#isComplete = true;
    this.#endWhen(this.mayEnd(), () => this.writeEnd());
  }

  /** Ends an answer in the middle, so that no client takes what it has for the whole. */
  abstract breakOff(): void;

  /** Lets the connection end with the answers that are under way, where it carries several exchanges at a time. */
  refuseMore(): void {}

  /** Calls `listener` once, when the client has taken what had been written, or never when it goes away before. */
  abstract whenDrained(listener: () => void): void;

  /** Calls `listener` once, when nobody takes the answer any more. The function returned takes that back. */
  whenClosed(listener: () => void): () => void {
    this.#closeListeners ??= new Set();
    const listeners = this.#closeListeners;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** What carries the exchange calls this when it closes. */
  protected closed(): void {
    const listeners = this.#closeListeners;
    this.#closeListeners = undefined;
    for (const listener of listeners ?? []) {
      listener();
    }
  }

  protected abstract writeWhole(status: number, headers: AnswerHeaders, body: Buffer | undefined): void;
  protected abstract writeHead(status: number, headers: AnswerHeaders): void;
  protected abstract writePiece(piece: Buffer, taken: (() => void) | undefined): boolean;
  protected writeSharedPiece(piece: SharedPiece): boolean {
    return this.writePiece(piece.bytes, undefined);
  }
  protected abstract writeEnd(): void;
}
