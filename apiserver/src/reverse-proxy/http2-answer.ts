import { Readable, Writable } from "node:stream";
import { errorCode, type Http2Stream, type StreamReceiver } from "@gatehouse/component-base/http2";
import type { BackendAnswer, BackendRequest } from "./backend.js";
import type { HeaderFields } from "./header-fields.js";
import { pipeBody } from "./pipe-body.js";
import { BackendClosedError, RequestUnseenError } from "./transport-errors.js";

/** The two ends of waiting for the head of an answer. */
export interface AnswerOutcome {
  resolve(answer: BackendAnswer): void;
  reject(reason: Error): void;
}

/** A backend's answer on a stream of HTTP/2. */
export class Http2Answer implements StreamReceiver, BackendAnswer {
  readonly statusText = "";
  status = 0;
  fields: HeaderFields = [];
  readonly body: Readable;
  /** Called once when the stream is closed. */
  onClosed: (() => void) | undefined;
  readonly #outcome: AnswerOutcome;
  #stream: Http2Stream | undefined;
  #sink: Writable | undefined;
  #trailers: HeaderFields = [];
  #hasEnded = false;
  #isClosed = false;

  constructor(outcome: AnswerOutcome) {
    this.#outcome = outcome;
    this.body = new Readable({
      highWaterMark: bufferedBytes,
      read: () => this.#stream?.resume(),
      destroy: (error, done) => {
        this.#stream?.reset(errorCode.cancel);
        done(error);
      },
    });
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
    this.status = Number(fields[1]);
    this.fields = fields.slice(2);
    this.#outcome.resolve(this);
  }

  onData(bytes: Buffer): void {
    if (!this.body.push(bytes)) {
      this.#stream?.pause();
    }
  }

  onTrailers(fields: HeaderFields): void {
    this.#trailers = fields;
  }

  onEnd(): void {
    this.#hasEnded = true;
    this.body.push(null);
  }

  onClose(code: number): void {
    this.#isClosed = true;
    this.onClosed?.();
    this.#sink?.destroy();
    if (this.status === 0) {
      this.#outcome.reject(code === errorCode.refusedStream ? new RequestUnseenError() : new BackendClosedError());
    }
    if (!this.#hasEnded) {
      this.body.destroy();
    }
  }

  readonly hasArrived = (): boolean => this.#isClosed && this.#hasEnded;
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
