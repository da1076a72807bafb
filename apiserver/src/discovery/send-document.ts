import { acceptsGzipByQuality, sendAnswer } from "../http/answer.js";
import { sendText } from "../http/responder.js";
import type { RequestContext } from "../request/request-context.js";
import { type ByteRange, byteRangeOf } from "./byte-range.js";
import { evaluatePreconditions, mayContinue, type Validators } from "./preconditions.js";

/** A body in both forms: plain and compressed. */
export interface DocumentBody {
  readonly bytes: Buffer;
  /** The compressed body, made at most once; undefined when compression does not pay. */
  readonly gzip?: () => Promise<Buffer> | Buffer;
  /** True if the content type is guessed from the body, so that an answer without it has none. */
  readonly isTypeGuessed?: boolean;
}

/** The headers of a document, besides those that every answer carries. */
export interface DocumentHeaders extends Validators {
  readonly "Content-Type": string;
  readonly "Cache-Control"?: string;
  readonly Expires?: string;
  readonly Vary?: string;
  /** The unit of partial requests. */
  readonly "Accept-Ranges"?: "bytes";
}

/** Answers with a document that does not change while its ETag is the same: all of it, a part, or that it is known. */
export async function sendDocument(
  context: RequestContext,
  headers: DocumentHeaders,
  body: DocumentBody,
): Promise<void> {
  const outcome = evaluatePreconditions(context, headers);
  if (outcome === "notModified") {
    const { "Content-Type": _type, "Accept-Ranges": _ranges, "Last-Modified": lastModified, ...kept } = headers;
    // One of them is enough to know the state by.
    const withDate = kept.ETag !== undefined || lastModified === undefined ? {} : { "Last-Modified": lastModified };
    sendAnswer(context, 304, { ...kept, ...withDate });
    return;
  }
  if (outcome === "failed") {
    const { "Content-Type": type, "Accept-Ranges": _ranges, ...kept } = headers;
    sendAnswer(
      context,
      412,
      { ...kept, ...(body.isTypeGuessed === true ? {} : { "Content-Type": type }) },
      Buffer.alloc(0),
    );
    return;
  }
  const range = rangeOf(context, headers, body.bytes.length);
  if (range === "misshapen" || range === "beyond") {
    refuseRange(context, headers, range, body.bytes.length);
    return;
  }
  if (range !== "all") {
    sendPart(context, headers, body.bytes, range);
    return;
  }
  if (body.gzip !== undefined && acceptsGzipByQuality(context)) {
    const compressed = { ...headers, Vary: withEncoding(headers.Vary), "Content-Encoding": "gzip" };
    sendAnswer(context, 200, compressed, await body.gzip());
    return;
  }
  sendAnswer(context, 200, { ...headers }, body.bytes);
}

function rangeOf(context: RequestContext, headers: DocumentHeaders, length: number): ReturnType<typeof byteRangeOf> {
  const isOffered = headers["Accept-Ranges"] !== undefined && mayContinue(context, headers);
  return isOffered ? byteRangeOf(context.header("range"), length) : "all";
}

/** Answers 416 with the headers of a successful answer, but in plain text. */
function refuseRange(
  context: RequestContext,
  { "Accept-Ranges": _ranges, "Content-Type": _type, ...headers }: DocumentHeaders,
  why: "misshapen" | "beyond",
  length: number,
): void {
  for (const [name, value] of Object.entries(headers)) {
    context.setHeader(name, value);
  }
  if (why === "beyond") {
    context.setHeader("Content-Range", `bytes */${length}`);
  }
  sendText(context, 416, why === "beyond" ? "invalid range: failed to overlap\n" : "invalid range\n");
}

function sendPart(context: RequestContext, headers: DocumentHeaders, bytes: Buffer, { start, end }: ByteRange): void {
  // Offsets count bytes as they are: compressed, the part would be another one.
  context.mayCompress = false;
  const part = { ...headers, "Content-Range": `bytes ${start}-${end - 1}/${bytes.length}` };
  sendAnswer(context, 206, part, bytes.subarray(start, end));
}

function withEncoding(vary: string | undefined): string {
  if (vary === undefined) {
    return "Accept-Encoding";
  }
  return vary.includes("Accept-Encoding") ? vary : `${vary}, Accept-Encoding`;
}
