import { constants, createGzip, type Gzip, gzip } from "node:zlib";
import { fieldValue } from "@gatehouse/component-base/http2";
import type { Exchange } from "../request/exchange.js";
import { type AnswerHeaders, setField, setFields } from "../request/header-fields.js";
import type { RequestContext } from "../request/request-context.js";
import { StreamLatency } from "./answer-latency.js";
import { warningHeaders } from "./warning.js";

/**
 * The length in bytes from which answers are compressed (v1.29's threshold: below, compressing costs more than it
 * saves).
 */
const compressionThresholdBytes = 128 * 1024;

/** The compression level, the fastest as in v1.29: the answer is compressed for every client anew. */
const gzipLevel = constants.Z_BEST_SPEED;

/** The size in bytes above which an answer may wait in our memory, not only in the kernel's, for a slow client. */
const largeAnswerBytes = 256 * 1024;
/** The time in milliseconds for a client to take such an answer; v1.29's limit here is `--request-timeout`. */
const maxTakingMs = 60_000;

/** A body that comes in pieces. */
export interface Pieces {
  /** The pieces in order. If the length is known, a piece is valid only until the next one is asked for. */
  readonly pieces: Iterable<Buffer> | AsyncIterable<Buffer>;
  /** The sum of the pieces; undefined where it is not known before they are made. */
  readonly byteLength: number | undefined;
}

/**
 * Sends an answer: a code, headers besides those that every answer carries, and a body that is complete and immutable.
 * Every answer goes through here. Compresses large bodies for a client that accepts it. Does nothing when the answer
 * has begun or nobody waits for it.
 */
export function sendAnswer(context: RequestContext, code: number, headers: AnswerHeaders, body?: Buffer): void {
  const { exchange } = context;
  if (exchange.status !== 0 || exchange.isClosed) {
    return;
  }
  const fields = answerFields(context, headers);
  if (body !== undefined && body.length > compressionThresholdBytes && mayCompress(context, headers)) {
    const latency = new StreamLatency(context);
    gzip(body, { level: gzipLevel }, (error, compressed) => {
      latency.tell();
      if (exchange.status !== 0 || exchange.isClosed) {
        return;
      }
      if (error !== null) {
        context.breakOff();
        return;
      }
      sendWhole(context, code, markCompressed(fields), compressed);
    });
    return;
  }
  sendWhole(context, code, fields, body);
}

function sendWhole(context: RequestContext, code: number, fields: string[], body: Buffer | undefined): void {
  const { exchange } = context;
  if (body === undefined) {
    exchange.send(code, fields);
    return;
  }
  setField(fields, "Content-Length", String(body.length));
  if (context.method === "HEAD") {
    exchange.send(code, fields);
    return;
  }
  if (body.length > largeAnswerBytes) {
    const release = exchange.connection.hold(body.length);
    const timer = setTimeout(() => context.breakOff(), maxTakingMs);
    exchange.whenClosed(() => {
      clearTimeout(timer);
      release();
    });
  }
  exchange.send(code, fields, body);
}

/**
 * Answers with a body in pieces, made at the pace at which the client takes them. Resolves when it has taken the last one
 * or has gone away.
 */
export async function sendPieces(
  context: RequestContext,
  code: number,
  headers: AnswerHeaders,
  { pieces, byteLength }: Pieces,
): Promise<void> {
  if (byteLength !== undefined) {
    return stream(context, code, headers, pieces, byteLength);
  }
  // What fits into one piece is sent with its length, as short answers are.
  const iterator = iterate(pieces);
  const first = await iterator.next();
  const second = first.done === true ? first : await iterator.next();
  if (first.done === true || second.done === true) {
    sendAnswer(context, code, headers, first.value ?? Buffer.alloc(0));
    return;
  }
  return stream(context, code, headers, resume([first.value, second.value], iterator), undefined);
}

async function* iterate(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  yield* pieces;
  return undefined;
}

async function* resume(begun: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* begun;
  yield* rest;
}

async function stream(
  context: RequestContext,
  code: number,
  headers: AnswerHeaders,
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  byteLength: number | undefined,
): Promise<void> {
  const { exchange } = context;
  if (exchange.isClosed) {
    return;
  }
  const fields = answerFields(context, headers);
  const isLarge = byteLength === undefined || byteLength > compressionThresholdBytes;
  const compress = isLarge && mayCompress(context, headers);
  if (compress) {
    markCompressed(fields);
  } else if (byteLength !== undefined) {
    setField(fields, "Content-Length", String(byteLength));
  }
  if (context.method === "HEAD") {
    exchange.send(code, fields);
    return;
  }
  exchange.begin(code, fields);
  const compressor = compress ? compressInto(exchange) : undefined;
  const latency = new StreamLatency(context);
  let left = compress || byteLength === undefined ? Number.POSITIVE_INFINITY : byteLength;
  for await (const piece of pieces) {
    left -= piece.length;
    if (left <= 0) {
      latency.tell();
      await exchange.mayEnd();
    }
    await latency.writing(taken(exchange, piece, compressor ?? exchange));
    if (exchange.isClosed) {
      return;
    }
  }
  latency.tell();
  (compressor ?? exchange).end();
}

/**
 * Begins an answer that stays open, once it may; the caller then writes to the exchange, if somebody is still there to take
 * the answer.
 */
export async function openAnswer(context: RequestContext, code: number, headers: AnswerHeaders): Promise<void> {
  const { exchange } = context;
  await exchange.mayBegin(code);
  if (!exchange.isClosed) {
    exchange.begin(code, answerFields(context, headers));
    exchange.flush();
  }
}

interface PieceSink {
  write(piece: Buffer, taken: () => void): boolean;
}

/** Resolves when a piece has been taken, or never will be. */
function taken(exchange: Exchange, piece: Buffer, sink: PieceSink): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      forget();
      resolve();
    };
    // A write that the closing has overtaken may never call back.
    const forget = exchange.whenClosed(resolve);
    sink.write(piece, done);
  });
}

/** Returns a stream that compresses into the exchange, at the client's pace. */
function compressInto(exchange: Exchange): Gzip {
  const compressor = createGzip({ level: gzipLevel });
  compressor.on("data", (piece: Buffer) => {
    if (!exchange.isClosed && !exchange.write(piece)) {
      compressor.pause();
      exchange.whenDrained(() => compressor.resume());
    }
  });
  compressor.once("end", () => exchange.end());
  exchange.whenClosed(() => compressor.destroy());
  return compressor;
}

/** Returns the headers that every answer carries, and others in addition or in their place. */
export function answerFields(context: RequestContext, headers: AnswerHeaders = {}): string[] {
  const fields = ["Audit-Id", context.auditID, "Cache-Control", "no-cache, private"];
  if (context.warnings !== undefined) {
    for (const warning of warningHeaders([...context.warnings])) {
      fields.push("Warning", warning);
    }
  }
  for (let at = 0; at < context.fields.length; at += 2) {
    setField(fields, context.fields[at] as string, context.fields[at + 1] as string);
  }
  setFields(fields, headers);
  return fields;
}

function markCompressed(fields: string[]): string[] {
  const vary = fieldValue(fields, "Vary");
  setField(fields, "Content-Encoding", "gzip");
  setField(fields, "Vary", vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`);
  return fields;
}

function mayCompress(context: RequestContext, headers: AnswerHeaders): boolean {
  return headers["Content-Encoding"] === undefined && acceptsGzip(context);
}

/**
 * Reports whether an OpenAPI document may go out compressed. v1.29 honours qualities there: `GZIP;q=0.5` counts,
 * `gzip;q=0` does not.
 */
export function acceptsGzipByQuality(context: RequestContext): boolean {
  const codings = context.mayCompress ? (context.header("accept-encoding") ?? "").toLowerCase().split(",") : [];
  return codings.some((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return name === "gzip" && (quality === undefined || Number(quality.slice(2)) > 0);
  });
}

/** Reports whether the answer may go out gzip-compressed: the client accepts it, and nothing speaks against it. */
export function acceptsGzip(context: RequestContext): boolean {
  if (!context.mayCompress) {
    return false;
  }
  const accepted = context.header("accept-encoding");
  // As v1.29 reads it: with a quality beside it, it does not count.
  return accepted?.split(",").some((coding) => coding.trim() === "gzip") === true;
}
