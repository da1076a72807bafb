import { Readable } from "node:stream";
import { andThen, endWith, type MaybePromise } from "@gatehouse/envelopes/scheduling";
import { answerFields } from "../http/answer.js";
import type { HeaderFields } from "../request/header-fields.js";
import type { RequestContext } from "../request/request-context.js";
import type { Backend, BackendAnswer, BackendRequest } from "./backend.js";
import { valuesOf } from "./forwarded-fields.js";
import { forwardedFields, forwardedTrailers } from "./forwarded-request.js";
import { relayAnswer } from "./relay-answer.js";
import type { Transport } from "./transport.js";
import type { TunnelOptions } from "./tunnel.js";

/** The way of a request to a backend. */
export interface Forwarding extends TunnelOptions {
  readonly transport: Transport;
  readonly backend: Backend;
  /** Path and query that the backend is asked for. */
  readonly target: string;
  /**
   * Changes the headers for the backend. They hold the client's headers from end to end, with its Host and X-Forwarded-For;
   * for an upgrade, those of the connection, too. Credentials of the client are to be removed here.
   */
  readonly fields?: (fields: HeaderFields) => HeaderFields;
  /** Changes the headers that follow the body of the request. */
  readonly trailers?: (fields: HeaderFields) => HeaderFields;
  /** Changes the answer before it is sent on. */
  readonly answer?: (answer: BackendAnswer) => BackendAnswer;
  /** True if the client is not sent elsewhere by a redirect of the backend, but told of it with a 502. */
  readonly rejectRedirects?: boolean;
  /** True if the answer stays open for as long as the client likes, and is observed when it begins. */
  readonly isLongRunning: boolean;
}

/**
 * Forwards a request, and streams both bodies. Resolves when all of the answer has been handed over, or the client has gone
 * away, which cancels the request to the backend. Rejects with HttpClientError before anything was sent to the client; what goes wrong
 * later breaks the answer off.
 */
export function forward(context: RequestContext, forwarding: Forwarding): Promise<void> {
  const { transport, backend } = forwarding;
  return transport.send(backend, backendRequest(context, forwarding)).then((sent) =>
    endWith(
      () => passBack(context, forwarding, sent),
      () => sent.content.destroy(),
    ),
  );
}

function passBack(context: RequestContext, forwarding: Forwarding, sent: BackendAnswer): MaybePromise<void> {
  const { exchange } = context;
  const { rejectRedirects = false, isLongRunning } = forwarding;
  const answer = rejectRedirects && isRedirect(sent) ? rejected(sent) : (forwarding.answer?.(sent) ?? sent);
  const mayBegin = isLongRunning ? exchange.mayBegin(answer.status) : undefined;
  return andThen(mayBegin, () => relayAnswer(exchange, answer, answerFields(context)));
}

function backendRequest(context: RequestContext, forwarding: Forwarding): BackendRequest {
  const { exchange } = context;
  const fields = forwardedFields(exchange);
  const request = {
    method: exchange.method,
    target: forwarding.target,
    fields: forwarding.fields?.(fields) ?? fields,
    recipient: exchange,
  };
  if (!exchange.hasBody) {
    return request;
  }
  const collected = exchange.collectTrailers();
  const trailers = (): HeaderFields => {
    const sent = forwardedTrailers(collected());
    return forwarding.trailers?.(sent) ?? sent;
  };
  return { ...request, body: exchange.body, trailers };
}

function isRedirect({ status, fields }: BackendAnswer): boolean {
  return status >= 300 && status <= 399 && valuesOf(fields, "location").some((value) => value !== "");
}

/** Returns the answer that takes the place of a redirect. */
function rejected(answer: BackendAnswer): BackendAnswer {
  answer.content.destroy();
  const text = Buffer.from("the backend attempted to redirect this request, which is not permitted");
  return {
    status: 502,
    statusText: "Bad Gateway",
    fields: ["Content-Type", "text/plain; charset=utf-8", "Content-Length", String(text.length)],
    content: {
      body: Readable.from([]),
      isComplete: () => true,
      trailers: () => [],
      takeWhole: (length) => (length === 0 ? Buffer.alloc(0) : text),
      destroy() {},
    },
  };
}
