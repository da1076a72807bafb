import { Readable, Writable } from "node:stream";
import { errorCode, type Http2Stream, type StreamReceiver } from "@gatehouse/component-base/http2";
import type { HeaderFields } from "../request/header-fields.js";
import type { BackendAnswer, BackendContent, BackendRequest } from "./backend.js";
import { pipeBody } from "./pipe-body.js";
import { BackendClosedError, RequestUnseenError } from "./transport-errors.js";

/** The two ends of waiting for the head of an answer. */
export interface AnswerOutcome {
  resolve(answer: BackendAnswer): void;
  reject(reason: Error): void;
}

/** A backend's answer on a stream of HTTP/2. Its stream of Node is made only where the content is read in pieces. */
export class Http2Answer implements StreamReceiver, BackendContent {
  /** Called once when the stream is closed. */
  onClosed: (() => void) | undefined;
  readonly #outcome: AnswerOutcome;
  #stream: Http2Stream | undefined;
  #sink: Writable | undefined;
  #body: Readable | undefined;
  /** Content that has come before anybody reads it. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #trailers: HeaderFields = [];
  #hasHead = false;
  #hasEnded = false;
  #isTaken = false;
  #isClosed = false;

  constructor(outcome: AnswerOutcome) {
    this.#outcome = outcome;
  }

  get body(): Readable {
    this.#body ??= this.#openBody();
    return this.#body;
  }

  #openBody(): Readable {
    const body = new Readable({
      highWaterMark: bufferedBytes,
      read: () => this.#stream?.resume(),
      destroy: (error, done) => {
        this.#stream?.reset(errorCode.cancel);
        done(error);
      },
    });
    for (const bytes of this.#held) {
      body.push(bytes);
    }
    this.#held = [];
    if (this.#hasEnded) {
      body.push(null);
    } else if (this.#isClosed) {
      body.destroy();
    }
    return body;
  }

  takeWhole(length: number | undefined): Buffer | undefined {
    const isHere = length === undefined ? this.#isClosed && this.#hasEnded : length > 0 && this.#heldBytes === length;
    if (!isHere || this.#body !== undefined || this.#trailers.length > 0) {
      return undefined;
    }
    const held = this.#held;
    this.#held = [];
    this.#isTaken = true;
    this.#stream?.resume();
    return held.length === 1 ? held[0] : Buffer.concat(held, this.#heldBytes);
  }

  destroy(): void {
    this.#held = [];
    if (this.#body !== undefined) {
      this.#body.destroy();
    } else if (!this.#hasEnded && !this.#isTaken) {
      this.#stream?.reset(errorCode.cancel);
    }
  }

  /** Takes the stream of the request, and sends its body. */
  begin(stream: Http2Stream, { body, trailers }: BackendRequest): void {
    this.#stream = stream;
    if (body !== undefined) {
      this.#sink = sinkOf(stream, trailers);
      pipeBody(body, this.#sink, () => {});
    }
  }

  onHead(fields: HeaderFields): void {
    this.#hasHead = true;
    this.#outcome.resolve({ status: Number(fields[1]), statusText: "", fields: fields.slice(2), content: this });
  }

  onData(bytes: Buffer): void {
    if (!this.#hold(bytes)) {
      this.#stream?.pause();
    }
  }

  /** Keeps content for whoever reads it. Returns false if there is enough. */
  #hold(bytes: Buffer): boolean {
    if (this.#body !== undefined) {
      return this.#body.push(bytes);
    }
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    return this.#heldBytes < bufferedBytes;
  }

  onTrailers(fields: HeaderFields): void {
    this.#trailers = fields;
  }

  onEnd(): void {
    this.#hasEnded = true;
    this.#body?.push(null);
  }

  onClose(code: number): void {
    this.#isClosed = true;
    this.onClosed?.();
    this.#sink?.destroy();
    if (!this.#hasHead) {
      this.#outcome.reject(code === errorCode.refusedStream ? new RequestUnseenError() : new BackendClosedError());
    }
    if (!this.#hasEnded) {
      this.#body?.destroy();
    }
  }

  readonly isComplete = (): boolean => this.#hasEnded;
  readonly trailers = (): HeaderFields => this.#trailers;
}

/** Bytes of an answer that wait here for a client; a small answer is never stopped. */
const bufferedBytes = 64 * 1024;

/** Returns what writes the body of a request on its stream, at the pace of the backend. */
function sinkOf(stream: Http2Stream, trailers: (() => HeaderFields) | undefined): Writable {
  return new Writable({
    write(piece: Buffer, _encoding, done) {
      stream.write(piece);
      stream.whenDrained(done);
    },
    final(done) {
      try {
        const fields = trailers?.() ?? [];
        stream.end(undefined, fields.length === 0 ? undefined : fields.map(lowerNames));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    destroy(error, done) {
      if (!this.writableFinished) {
        stream.reset(errorCode.cancel);
      }
      done(error);
    },
  });
}

function lowerNames(text: string, at: number): string {
  return at % 2 === 0 ? text.toLowerCase() : text;
}
