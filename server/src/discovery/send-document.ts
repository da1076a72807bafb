import { acceptsGzip, sendAnswer } from "../http/answer.js";
import type { RequestContext } from "../request/request-context.js";

/** What is sent, or compressed. */
export interface DocumentBody {
  readonly bytes: Buffer;
  /** The same, compressed; made at most once. Undefined when that does not pay. */
  readonly gzip?: () => Promise<Buffer> | Buffer;
}

/** The headers of a document, besides those that every answer carries. */
export interface DocumentHeaders {
  readonly "Content-Type": string;
  /** With quotes. */
  readonly ETag?: string;
  readonly "Cache-Control"?: string;
  readonly Expires?: string;
  readonly "Last-Modified"?: string;
  readonly Vary?: string;
}

/** Answers with a document that does not change while its ETag is the same: 200, or 304 when the client has it. */
export async function sendDocument(
  context: RequestContext,
  headers: DocumentHeaders,
  body: DocumentBody,
): Promise<void> {
  if (headers.ETag !== undefined && matchesEtag(context.header("if-none-match"), headers.ETag)) {
    const { "Content-Type": _type, ...kept } = headers;
    sendAnswer(context, 304, kept);
    return;
  }
  if (body.gzip !== undefined && acceptsGzip(context)) {
    const compressed = { ...headers, Vary: withEncoding(headers.Vary), "Content-Encoding": "gzip" };
    sendAnswer(context, 200, compressed, await body.gzip());
    return;
  }
  sendAnswer(context, 200, { ...headers }, body.bytes);
}

function withEncoding(vary: string | undefined): string {
  if (vary === undefined) {
    return "Accept-Encoding";
  }
  return vary.includes("Accept-Encoding") ? vary : `${vary}, Accept-Encoding`;
}

/** RFC 9110, section 13.1.2: `*`, or a list of entity tags compared weakly. */
function matchesEtag(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) {
    return false;
  }
  return condition.split(",").some((item) => {
    const tag = item.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}
