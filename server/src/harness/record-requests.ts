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
  /** Takes a request when its answer has ended. Must not throw. */
  record(exchange: RecordedExchange): void;
}

/** Returns a filter that hands over requests when their answers have ended. It stands before all others. */
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
    keepAnswer(exchange, answer);
    exchange.whenClosed(() =>
      recorder.record({
        ...{ atMs, durationMs: performance.now() - startedAt, ...attributesOf(context) },
        ...{ body: body.bytes(), answer: answer.bytes(), isCutOff: body.isCutOff || answer.isCutOff },
      }),
    );
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

function keepAnswer(exchange: Exchange, kept: Kept): void {
  const { send, write, writeShared } = exchange;
  Object.assign(exchange, {
    send(...[status, headers, body]: Parameters<Exchange["send"]>): void {
      kept.add(body ?? Buffer.alloc(0));
      send.call(exchange, status, headers, body);
    },
    write(piece: Buffer, taken?: () => void): boolean {
      kept.add(piece);
      return write.call(exchange, piece, taken);
    },
    writeShared(piece: SharedPiece): boolean {
      kept.add(piece.bytes);
      return writeShared.call(exchange, piece);
    },
  });
}
