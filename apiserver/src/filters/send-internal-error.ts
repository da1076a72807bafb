import { goQuote } from "@gatehouse/envelopes/go";
import { sendText } from "../http/responder.js";
import type { MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { escaped } from "./denied-to.js";

/** Answers 500 for a failure before the request was let in, in plain text as v1.29 does. */
export function sendInternalError(context: RequestContext, error: Error): MaybePromise<void> {
  const text = `Internal Server Error: ${goQuote(context.exchange.target)}: ${error.message}`;
  context.setHeader("X-Content-Type-Options", "nosniff");
  return sendText(context, 500, `${text.replaceAll(/[&<>]/g, escaped)}\n`);
}
