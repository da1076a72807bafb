import { constants, createGzip, gzip } from "node:zlib";
import { encodeJson, encodeYaml, type JsonObject, mediaTypes, type Status } from "@gatehouse/envelopes";
import type { HttpResponse, RequestContext } from "../request/request-context.js";
import { indentJson } from "./indent-json.js";
import { type Encoding, negotiate, plainOffer } from "./negotiation.js";
import { encodeEnvelopedStatus } from "./status-protobuf.js";
import { warningHeaders } from "./warning.js";

/** Smaller answers are sent as they are (v1.29's threshold: compressing them costs more than it saves). */
export const compressionThresholdBytes = 128 * 1024;

/** v1.29 uses the fastest level: the answer is compressed for every client anew. */
const gzipLevel = constants.Z_BEST_SPEED;

const newline = Buffer.from("\n");

/** Answers with bytes that are complete and immutable. JSON gets the newline that Go's encoder ends with. */
export function sendBytes(context: RequestContext, code: number, contentType: string, body: Buffer): void {
  const { response } = context;
  if (response.headersSent || context.isClosed) {
    return;
  }
  const headers = commonHeaders(context);
  headers["Content-Type"] = contentType;
  if (body.length > compressionThresholdBytes && acceptsGzip(context)) {
    headers["Content-Encoding"] = "gzip";
    headers["Vary"] = "Accept-Encoding";
    gzip(body, { level: gzipLevel }, (error, compressed) => {
      if (response.headersSent || context.isClosed) {
        return;
      }
      if (error !== null) {
        context.breakOff();
        return;
      }
      headers["Content-Length"] = compressed.length;
      response.writeHead(code, headers);
      end(context, compressed);
    });
    return;
  }
  headers["Content-Length"] = body.length;
  response.writeHead(code, headers);
  end(context, body);
}

/** What is larger than this may wait in our memory, not only in the kernel's, for the client to take it. */
const largeAnswerBytes = 1024 * 1024;
/** A client that does not take such an answer for so long does not get it: `--request-timeout` is v1.29's limit here. */
const maxTakingMs = 60_000;

function end(context: RequestContext, body: Buffer): void {
  const { response } = context;
  if (context.method === "HEAD") {
    response.end();
    return;
  }
  if (body.length > largeAnswerBytes) {
    const timer = setTimeout(() => context.breakOff(), maxTakingMs);
    response.once("close", () => clearTimeout(timer));
  }
  response.end(body);
}

/** Answers with a JSON document that already exists as bytes. */
export function sendJsonBytes(context: RequestContext, code: number, json: Buffer): void {
  if (wantsPretty(context)) {
    sendBytes(context, code, mediaTypes.json, indentJson(json));
    return;
  }
  const body = Buffer.allocUnsafe(json.length + 1);
  json.copy(body, 0);
  body[json.length] = 10;
  sendBytes(context, code, mediaTypes.json, body);
}

/**
 * Answers with a document that comes in chunks, at the client's pace. `contentLength` is the sum of the chunks. A chunk
 * is no longer needed when the next one is asked for. Resolves when the client has taken the last one or has gone away.
 */
export async function sendJsonChunks(
  context: RequestContext,
  chunks: Iterable<Buffer>,
  contentLength: number,
): Promise<void> {
  const { response } = context;
  const headers = commonHeaders(context);
  headers["Content-Type"] = mediaTypes.json;
  if (context.method === "HEAD") {
    response.writeHead(200, headers);
    response.end();
    return;
  }
  const compress = contentLength > compressionThresholdBytes && acceptsGzip(context);
  if (compress) {
    headers["Content-Encoding"] = "gzip";
    headers["Vary"] = "Accept-Encoding";
  } else {
    headers["Content-Length"] = contentLength + newline.length;
  }
  response.writeHead(200, headers);
  const sink = compress ? compressInto(response) : response;
  for (const chunk of chunks) {
    if (context.isClosed) {
      return;
    }
    await untilWritten(sink, chunk, context);
  }
  await untilWritten(sink, newline, context);
  sink.end();
}

/** A stream that compresses what is written to it into the response. */
function compressInto(response: HttpResponse): NodeJS.WritableStream {
  const compressor = createGzip({ level: gzipLevel });
  compressor.pipe(response);
  response.once("close", () => compressor.destroy());
  return compressor;
}

/** Resolves when a chunk has been taken, or never will be. */
function untilWritten(sink: NodeJS.WritableStream, chunk: Buffer, context: RequestContext): Promise<void> {
  const { response } = context;
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("close", done);
      resolve();
    };
    // A write that the closing has overtaken may never call back.
    response.once("close", done);
    sink.write(chunk, done);
  });
}

/** Answers with an object in the encoding the client asked for. */
export function sendObject(context: RequestContext, code: number, object: JsonObject, encoding: Encoding): void {
  if (encoding === "yaml") {
    sendBytes(context, code, mediaTypes.yaml, Buffer.from(encodeYaml(object)));
    return;
  }
  sendJsonBytes(context, code, Buffer.from(encodeJson(object)));
}

/** Answers with a Status, in the encoding that the client asks for. */
export function sendStatus(context: RequestContext, status: Status): void {
  const { response } = context;
  if (response.headersSent) {
    context.breakOff();
    return;
  }
  const code = status.code ?? 200;
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined && retryAfter > 0) {
    response.setHeader("Retry-After", String(retryAfter));
  }
  const chosen = negotiate(context.header("accept"), plainOffer);
  if (chosen?.encoding === "protobuf") {
    sendBytes(context, code, mediaTypes.protobuf, encodeEnvelopedStatus(status));
    return;
  }
  const object = status as unknown as JsonObject;
  if (chosen === undefined) {
    // Nothing the client wants can be had: v1.29 then writes for the person behind it.
    sendBytes(context, code, mediaTypes.json, indentJson(Buffer.from(encodeJson(object))));
    return;
  }
  sendObject(context, code, object, chosen.encoding);
}

/** Answers with text, as health checks and unknown paths do. */
export function sendText(
  context: RequestContext,
  code: number,
  text: string,
  contentType = "text/plain; charset=utf-8",
): void {
  const { response } = context;
  response.setHeader("X-Content-Type-Options", "nosniff");
  sendBytes(context, code, contentType, Buffer.from(text));
}

/** Headers that every answer carries. */
export function commonHeaders(context: RequestContext): Record<string, string | number | string[]> {
  const headers: Record<string, string | number | string[]> = {
    "Audit-Id": context.auditID,
    "Cache-Control": "no-cache, private",
  };
  if (context.warnings !== undefined) {
    headers["Warning"] = warningHeaders(context.warnings);
  }
  return headers;
}

/** Whether the answer may go out gzip-compressed: the client takes that, and nothing speaks against it. */
export function acceptsGzip(context: RequestContext): boolean {
  if (!context.mayCompress) {
    return false;
  }
  const accepted = context.header("accept-encoding");
  return accepted !== undefined && /(?:^|,)\s*gzip\s*(?:,|;q=(?!0(?:\.0*)?\s*(?:,|$))|$)/.test(accepted);
}

/** People read with curl and browsers; they get indented JSON unless they say otherwise, as from v1.29. */
export function wantsPretty(context: RequestContext): boolean {
  const asked = context.query.get("pretty");
  if (asked !== null && asked !== "") {
    return asked === "1" || asked === "true" || asked === "TRUE" || asked === "True" || asked === "t" || asked === "T";
  }
  const agent = context.header("user-agent");
  return agent !== undefined && /^(?:curl|Wget|Mozilla\/5\.0)/.test(agent);
}
