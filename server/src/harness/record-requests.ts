import { type Readable, Transform } from "node:stream";
import type { Exchange, RequestContext, SharedPiece } from "@gatehouse/apiserver/request";
import type { HarnessFilter } from "./harness-parts.js";

/** A request and its answer. Bodies are cut off after 64 KiB. */
export interface RecordedExchange {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly durationMs: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly resource: string;
  readonly subresource: string;
  /** The user that the request counts as; undefined where that never became known. */
  readonly user: { readonly username: string; readonly groups: readonly string[] } | undefined;
  readonly contentType: string;
  readonly body: Buffer;
  /** The code of the answer; 0 when the client got none. */
  readonly status: number;
  readonly answer: Buffer;
  /** True if a body is longer than what is kept of it. */
  readonly isCutOff: boolean;
}

const maxBytes = 64 * 1024;

/** The first bytes of a body. */
class Kept {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    if (this.#size < maxBytes) {
      this.#chunks.push(Buffer.from(chunk.subarray(0, maxBytes - this.#size)));
    }
    this.#size += chunk.length;
  }

  get isCutOff(): boolean {
    return this.#size > maxBytes;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** A receiver of requests and their answers. */
export interface RequestRecorder {
  /** Reports whether somebody wants the requests that come now. */
  isRecording(): boolean;
  /** Takes a request when all of its answer has been handed over, or its client has gone away. Must not throw. */
  record(exchange: RecordedExchange): void;
}

/**
 * Returns a filter that hands over each request when its answer has ended, before the event loop goes on: a client that has
 * the answer finds the request recorded. It stands before all other filters.
 */
export function recordRequests(recorder: RequestRecorder, now: () => number): HarnessFilter {
  return (context, next) => {
    if (!recorder.isRecording()) {
      return next(context);
    }
    const { exchange } = context;
    const [body, answer] = [new Kept(), new Kept()];
    const [atMs, startedAt] = [now(), performance.now()];
    if (exchange.hasBody) {
      keepBody(exchange, body);
    }
    let isRecorded = false;
    const ended = () => {
      if (!isRecorded) {
        isRecorded = true;
        recorder.record({
          ...{ atMs, durationMs: performance.now() - startedAt, ...attributesOf(context) },
          ...{ body: body.bytes(), answer: answer.bytes(), isCutOff: body.isCutOff || answer.isCutOff },
        });
      }
    };
    keepAnswer(exchange, answer, ended);
    exchange.whenClosed(ended);
    return next(context);
  };
}

function attributesOf(context: RequestContext) {
  const { exchange, info } = context;
  // Who is not authenticated has no user.
  const user = context.user as RequestContext["user"] | undefined;
  return {
    method: exchange.method,
    target: exchange.target,
    resource: info.resource,
    subresource: info.subresource,
    user: user && { username: user.username, groups: user.groups },
    contentType: context.header("content-type") ?? "",
    status: exchange.status,
  };
}

/** Keeps what is read of a body, whoever reads it. */
function keepBody(exchange: Exchange, kept: Kept): void {
  let tapped: Transform | undefined;
  Object.defineProperty(exchange, "body", {
    get() {
      tapped ??= (Reflect.get(Object.getPrototypeOf(exchange), "body", exchange) as Readable).pipe(
        new Transform({
          transform(chunk: Buffer, _encoding, done) {
            kept.add(chunk);
            done(undefined, chunk);
          },
        }),
      );
      return tapped;
    },
  });
}

/**
 * Keeps what is sent of an answer, and calls `ended` when all of it has been handed over: of an answer whose length the client
 * knows, that is the piece after `mayEnd`.
 */
function keepAnswer(exchange: Exchange, kept: Kept, ended: () => void): void {
  const { send, write, writeShared, mayEnd, end } = exchange;
  let isLastPiece = false;
  Object.assign(exchange, {
    send(...[status, headers, body]: Parameters<Exchange["send"]>): void {
      kept.add(body ?? Buffer.alloc(0));
      send.call(exchange, status, headers, body);
      ended();
    },
    write(piece: Buffer, taken?: () => void): boolean {
      kept.add(piece);
      const isTaken = write.call(exchange, piece, taken);
      if (isLastPiece) {
        ended();
      }
      return isTaken;
    },
    writeShared(piece: SharedPiece): boolean {
      kept.add(piece.bytes);
      return writeShared.call(exchange, piece);
    },
    mayEnd(): ReturnType<Exchange["mayEnd"]> {
      isLastPiece = true;
      return mayEnd.call(exchange);
    },
    end(trailers?: Parameters<Exchange["end"]>[0]): void {
      end.call(exchange, trailers);
      ended();
    },
  });
}
