import type { ServerResponse } from "node:http";
import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Status } from "@gatehouse/envelopes/status";

/** Sends a document whole. Does nothing when an answer has begun or nobody is there to read it. */
export function sendJson(response: ServerResponse, code: number, document: JsonObject): void {
  if (response.headersSent || response.destroyed) {
    return;
  }
  // As text, which goes out in one piece with the headers; bytes would be a second record of TLS.
  const text = encodeJson(document);
  response
    .writeHead(code, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) })
    .end(text, "utf8");
}

/** Sends what went wrong, with the headers that go with the code. */
export function sendStatus(response: ServerResponse, status: Status): void {
  const { code = 500, details } = status;
  if (response.headersSent) {
    return;
  }
  if (code === 401) {
    response.setHeader("WWW-Authenticate", "Bearer");
  }
  if (details?.retryAfterSeconds !== undefined) {
    response.setHeader("Retry-After", String(details.retryAfterSeconds));
  }
  sendJson(response, code, status as unknown as JsonObject);
}
