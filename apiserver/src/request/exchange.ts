import type { IncomingHttpHeaders } from "node:http";
import type { Duplex, Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Connection } from "../scheduling/connection.js";
import type { HeaderFields } from "./header-fields.js";
import type { SharedPiece } from "./shared-piece.js";

/** An observer of how an answer proceeds. */
export interface ExchangeObserver {
  /**
   * Called when an answer that stays open is about to begin; if a promise is returned, the answer waits for it. `begun`
   * follows.
   */
  beginning(code: number): Promise<unknown> | undefined;
  /** Called when the head is about to be sent. */
  begun(code: number): void;
  /**
   * Called when the end, or all of a short answer, is about to be sent; if a promise is returned, the end waits for it.
   * May be called twice.
   */
  ending(code: number): Promise<unknown> | undefined;
  /** Called when the answer is complete or the client has gone away. The code is 0 if the answer has not begun. */
  closed(code: number): void;
}

/**
 * A request and its answer, whatever version of HTTP carries them: the only access of the server to a client. Every
 * answer begins in `begin` or `send`, so that answers can be observed here.
 */
export abstract class Exchange {
  /** The method as the client wrote it: methods are case-sensitive. */
  abstract readonly method: string;
  /** Path and query as they were sent. */
  abstract readonly target: string;
  /** The headers by lower-case name. */
  abstract readonly headers: IncomingHttpHeaders;
  /**
   * Returns the names in `headers` of which `matches` approves. Most requests have none: to go through `headers` itself, which
   * has no shape, takes longer than all that is done with it.
   */
  abstract headerNames(matches: (name: string) => boolean): string[];
  /**
   * Returns the values of a header by its lower-case name, each as it was sent, read as UTF-8; `headers` may join
   * several or drop all but one.
   */
  abstract headerValues(name: string): readonly string[];
  /** Names and values of the headers in turn, as they were sent; those of HTTP/2 begin with its pseudo-headers. */
  abstract readonly rawHeaders: readonly string[];
  /** The state shared with the other exchanges of the same client. */
  abstract readonly connection: Connection;
  /** The socket of the connection, which holds TLS details of the client. */
  abstract readonly socket: TLSSocket | undefined;
  /** The request's body as it arrives. */
  abstract readonly body: Readable;
  /** True if the request has a body, be it empty. */
  abstract readonly hasBody: boolean;
  /** True once the answer is complete or the client has gone away. */
  abstract readonly isClosed: boolean;
  #status = 0;
  #sentBytes = 0;
  #isComplete = false;
  #isUpgraded = false;
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

  /**
   * True once the whole answer has been handed over. Closed but not complete: the client went away, or the answer was
   * broken off.
   */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** True once the connection has changed to another protocol. */
  get isUpgraded(): boolean {
    return this.#isUpgraded;
  }

  /** Answers at once, with a body that is complete or with none. */
  send(status: number, fields: HeaderFields, body?: Buffer): void {
    this.#status = status;
    this.#isComplete = true;
    this.#sentBytes = body?.length ?? 0;
    this.#observer?.begun(status);
    this.#endWhen(this.mayEnd(), () => this.writeWhole(status, fields, body));
  }

  /** Registers the observer of the answer from here on. There is at most one. */
  observe(observer: ExchangeObserver): void {
    this.#observer = observer;
    this.whenClosed(() => observer.closed(this.#status));
  }

  /**
   * Returns undefined if the end of the answer may be sent, otherwise a promise that resolves when it may. Must be
   * called before the last byte of an answer whose length the client knows: for the client, that byte is the end.
   */
  mayEnd(): Promise<unknown> | undefined {
    return this.#observer?.ending(this.#status);
  }

  /** Returns undefined if an answer that stays open may begin, otherwise a promise that resolves when it may. */
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

  /**
   * Begins an answer whose body follows in pieces. The head may wait for the first of them. `mayHaveTrailers`: `end` may be
   * given headers that follow the body.
   */
  begin(status: number, fields: HeaderFields, mayHaveTrailers = false): void {
    this.#status = status;
    this.#observer?.begun(status);
    this.writeHead(status, fields, mayHaveTrailers);
  }

  /** Sends the head without waiting for a piece. */
  abstract flush(): void;

  /**
   * Hands over a piece, which must not change until `taken` is called; it never is when the client goes away before.
   * Returns false if the client is slower than the server: wait for `whenDrained`.
   */
  write(piece: Buffer, taken?: () => void): boolean {
    this.#sentBytes += piece.length;
    return this.writePiece(piece, taken);
  }

  /** Hands over a piece that other answers send, too. Returns false as `write` does. */
  writeShared(piece: SharedPiece): boolean {
    this.#sentBytes += piece.length;
    return this.writeSharedPiece(piece);
  }

  /** Ends an answer in pieces; with trailers, if it has begun so. */
  end(trailers?: HeaderFields): void {
    this.#isComplete = true;
    this.#endWhen(this.mayEnd(), () => this.writeEnd(trailers));
  }

  /**
   * Collects the headers that follow the body of the request. Called before the body is read; the function returned gives
   * them, names and values in turn, once the body has ended.
   */
  abstract collectTrailers(): () => readonly string[];

  /** True if the client asks to change to another protocol on its connection (RFC 9110, section 7.8). */
  get asksForUpgrade(): boolean {
    return false;
  }

  /** True if the protocol that the client asks for is WebSocket. */
  get asksForWebSocket(): boolean {
    return this.asksForUpgrade && this.headers.upgrade?.toLowerCase() === "websocket";
  }

  /**
   * Changes to another protocol: hands over the connection, on which the caller writes the head of the answer itself.
   * `status` is observed as the code of the answer. The exchange is closed when the connection is. Throws if the client has
   * not asked for it.
   */
  upgrade(status: number): Duplex {
    if (!this.asksForUpgrade) {
      throw new Error("the client has not asked for another protocol");
    }
    this.#status = status;
    this.#isComplete = true;
    this.#isUpgraded = true;
    this.#observer?.begun(status);
    return this.takeConnection();
  }

  /** Ends an answer in the middle, so that no client takes what it has for the whole. */
  abstract breakOff(): void;

  /** Closes the connection after the answers under way, if it carries several exchanges at a time. */
  refuseMore(): void {}

  /**
   * Stops reading from the client once the exchange is closed; the function returned reads again. Returns undefined where
   * the connection is closed, or carries other exchanges.
   */
  stopReading(): (() => void) | undefined {
    return undefined;
  }

  /** Closes the connection after this answer, and others that are under way on it. To be called before the answer. */
  abstract closeAfter(): void;

  /** Calls `listener` once, when the client has taken what had been written, or never when it goes away before. */
  abstract whenDrained(listener: () => void): void;

  /** Calls `listener` once, when nobody takes the answer any more. The function returned takes that back. */
  whenClosed(listener: () => void): () => void {
    this.#closeListeners ??= new Set();
    const listeners = this.#closeListeners;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Notifies the listeners that the exchange is closed; called by the subclass. */
  protected closed(): void {
    const listeners = this.#closeListeners;
    this.#closeListeners = undefined;
    for (const listener of listeners ?? []) {
      listener();
    }
  }

  protected abstract writeWhole(status: number, fields: HeaderFields, body: Buffer | undefined): void;
  protected abstract writeHead(status: number, fields: HeaderFields, mayHaveTrailers: boolean): void;
  protected abstract writePiece(piece: Buffer, taken: (() => void) | undefined): boolean;
  protected writeSharedPiece(piece: SharedPiece): boolean {
    return this.writePiece(piece.bytes, undefined);
  }
  protected abstract writeEnd(trailers: HeaderFields | undefined): void;
  protected takeConnection(): Duplex {
    throw new Error("the connection is shared");
  }
}
