import { sendText } from "../http/responder.js";
import type { RequestContext } from "../request/request-context.js";

/** Answers 429 with the text of v1.29, and the seconds after which the client may try again. */
export function sayTooManyRequests(context: RequestContext, retryAfterSeconds: number): void {
  context.setHeader("Retry-After", String(retryAfterSeconds));
  sendText(context, 429, "Too many requests, please try again later.\n");
}
