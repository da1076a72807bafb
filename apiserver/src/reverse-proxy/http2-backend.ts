import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { authorityOf, type Backend, type BackendAnswer, type BackendRequest } from "./backend.js";
import { answerHeadersOf, filterFields, type HeaderFields, valuesOf } from "./header-fields.js";
import { pipeBody } from "./pipe-body.js";
import { abandonWith } from "./recipient.js";
import { BackendClosedError, maxHeaderBytes } from "./transport-errors.js";

/** Time in milliseconds without a frame after which a session with open streams is asked for a sign of life, as in v1.29. */
const silenceMs = 30_000;
/** Time in milliseconds in which the sign of life must come, as in v1.29. */
const pingTimeoutMs = 15_000;

/** A connection of HTTP/2 to a backend, which carries many requests at a time. */
export class Http2Session {
  readonly #session: ClientHttp2Session;
  #open = 0;
  #isRetired = false;

  /** `onClosed` is called once, when no request may begin here any more. */
  constructor(socket: Socket, backend: Backend, idleTimeoutMs: number, onClosed: (session: Http2Session) => void) {
    const session = connect(`${backend.scheme}://${authorityOf(backend)}`, {
      createConnection: () => socket,
      maxReservedRemoteStreams: 0,
      settings: { enablePush: false, maxHeaderListSize: maxHeaderBytes },
    });
    this.#session = session;
    // The errors of a session reach its streams.
    session.on("error", () => {});
    session.once("goaway", () => onClosed(this));
    session.once("close", () => onClosed(this));
    session.setTimeout(Math.min(idleTimeoutMs, silenceMs));
    let idleMs = 0;
    session.on("timeout", () => {
      idleMs = this.#open > 0 ? 0 : idleMs + Math.min(idleTimeoutMs, silenceMs);
      if (this.#open > 0) {
        this.#askForLife();
      } else if (idleMs >= idleTimeoutMs) {
        this.retire();
      } else {
        session.setTimeout(Math.min(idleTimeoutMs, silenceMs));
      }
    });
  }

  /** True if another request may begin here at once. */
  get hasRoom(): boolean {
    const { closed, destroyed, remoteSettings } = this.#session;
    return !closed && !destroyed && !this.#isRetired && this.#open < (remoteSettings?.maxConcurrentStreams ?? 100);
  }

  /** Sends a request. */
  send(backend: Backend, asked: BackendRequest): Promise<BackendAnswer> {
    return new Promise((resolve, reject) => {
      const hasBody = asked.body !== undefined;
      const stream = this.#session.request(headOf(backend, asked), hasBody ? sendsBody(asked) : sendsNoBody);
      this.#open++;
      let isAnswered = false;
      // The third argument, the headers as they were sent, is unknown to Node's types.
      stream.on("response", (headers: IncomingHttpHeaders, ...[, fields]: unknown[]) => {
        isAnswered = true;
        resolve(answerOf(stream, headers, fields as HeaderFields));
      });
      stream.on("error", reject);
      if (hasBody) {
        sendBody(asked, stream);
      }
      const forget = abandonWith(asked.recipient, () => {
        stream.close(constants.NGHTTP2_CANCEL);
        stream.destroy();
      });
      stream.on("close", () => {
        this.#open--;
        forget();
        // An error is costly: Node writes down the stack for each.
        if (!isAnswered) {
          reject(new BackendClosedError());
        }
      });
    });
  }

  /** Ends the session when its streams have ended. */
  retire(): void {
    this.#isRetired = true;
    this.#session.close();
  }

  destroy(): void {
    this.#isRetired = true;
    this.#session.destroy();
  }

  #askForLife(): void {
    const timer = setTimeout(() => this.#session.destroy(), pingTimeoutMs);
    const isSent = this.#session.ping(() => clearTimeout(timer));
    if (!isSent) {
      clearTimeout(timer);
      this.#session.destroy();
    }
  }
}

const sendsNoBody: ClientSessionRequestOptions = { endStream: true };

function sendsBody({ trailers }: BackendRequest): ClientSessionRequestOptions {
  return { endStream: false, waitForTrailers: trailers !== undefined };
}

function sendBody({ body, trailers }: BackendRequest, stream: ClientHttp2Stream): void {
  stream.once("wantTrailers", () => {
    try {
      stream.sendTrailers(answerHeadersOf(trailers?.() ?? []) as OutgoingHttpHeaders);
    } catch (error) {
      stream.destroy(error as Error);
    }
  });
  pipeBody(body as Readable, stream, () => {});
}

function headOf(backend: Backend, { method, target, fields }: BackendRequest): OutgoingHttpHeaders {
  const [host = authorityOf(backend)] = valuesOf(fields, "host");
  const head = { ":method": method, ":path": target, ":scheme": backend.scheme, ":authority": host };
  const all = filterFields(fields, (name) => name !== "host");
  return answerHeadersOf(all, head) as OutgoingHttpHeaders;
}

function answerOf(stream: ClientHttp2Stream, headers: IncomingHttpHeaders, fields: HeaderFields): BackendAnswer {
  let trailers: HeaderFields = [];
  stream.on("trailers", (...[, , raw]: unknown[]) => {
    trailers = raw as HeaderFields;
  });
  return {
    status: Number(headers[":status"]),
    statusText: "",
    // The first is `:status`, the only pseudo-header that nghttp2 lets through.
    fields: fields.slice(2),
    body: stream,
    hasArrived: () => stream.closed && stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.destroyed,
    // A session that is lost ends its streams as if they had come to their end.
    isComplete: () => stream.rstCode === constants.NGHTTP2_NO_ERROR,
    trailers: () => trailers,
  };
}
