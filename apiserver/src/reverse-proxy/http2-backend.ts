import type { Socket } from "node:net";
import { errorCode, Http2Connection } from "@gatehouse/component-base/http2";
import { authorityOf, type Backend, type BackendRequest } from "./backend.js";
import { type AnswerOutcome, Http2Answer } from "./http2-answer.js";
import { abandonWith } from "./recipient.js";
import { maxHeaderBytes } from "./transport-errors.js";

/** Time in milliseconds without a byte after which a session with open streams is asked for a sign of life, as in v1.29. */
const silenceMs = 30_000;
/** Time in milliseconds in which the sign of life must come, as in v1.29. */
const pingTimeoutMs = 15_000;

/** Bytes that a backend may send before they have been passed on. */
const limits = { streamWindow: 256 * 1024, connectionWindow: 4 * 1024 * 1024, maxListBytes: maxHeaderBytes };

/** A connection of HTTP/2 to a backend, which carries many requests at a time. */
export class Http2Session {
  readonly #connection: Http2Connection;
  readonly #socket: Socket;
  readonly #idleTimeoutMs: number;
  readonly #looks: NodeJS.Timeout;
  #idleMs = 0;
  /** Bytes that had come when the connection was looked at last. */
  #bytesRead = 0;

  /** `onClosed` is called once, when no request may begin here any more. */
  constructor(socket: Socket, idleTimeoutMs: number, onClosed: (session: Http2Session) => void) {
    this.#socket = socket;
    this.#idleTimeoutMs = idleTimeoutMs;
    let isOver = false;
    const over = (): void => {
      if (!isOver) {
        isOver = true;
        onClosed(this);
      }
    };
    this.#connection = new Http2Connection(socket, {
      limits,
      listener: {
        onGoaway: over,
        onClose: () => {
          clearInterval(this.#looks);
          over();
        },
      },
    });
    const everyMs = Math.min(idleTimeoutMs, silenceMs);
    this.#looks = setInterval(() => this.#look(everyMs), everyMs).unref();
  }

  /** True if another request may begin here at once. */
  get hasRoom(): boolean {
    const { isClosed, openStreams, maxStreams } = this.#connection;
    return !isClosed && openStreams < maxStreams;
  }

  /** Sends a request, whose outcome is told later. Throws when the session has ended. */
  send(backend: Backend, asked: BackendRequest, outcome: AnswerOutcome): void {
    const answer = new Http2Answer(outcome);
    const stream = this.#connection.request(fieldsOf(backend, asked), asked.body === undefined, answer);
    answer.begin(stream, asked);
    answer.onClosed = abandonWith(asked.recipient, () => stream.reset(errorCode.cancel));
  }

  /** Ends the session when its streams have ended. */
  retire(): void {
    this.#connection.close();
  }

  /** Closes a session that has been idle for long, and asks for a sign of life when a busy one is silent. */
  #look(sinceMs: number): void {
    const { bytesRead } = this.#socket;
    const isSilent = bytesRead === this.#bytesRead;
    this.#bytesRead = bytesRead;
    if (!isSilent) {
      this.#idleMs = 0;
    } else if (this.#connection.openStreams > 0) {
      const timer = setTimeout(() => this.#connection.destroy(), pingTimeoutMs);
      this.#connection.ping(() => clearTimeout(timer));
    } else {
      this.#idleMs += sinceMs;
      if (this.#idleMs >= this.#idleTimeoutMs) {
        this.retire();
      }
    }
  }
}

/** Returns the head of a request as HTTP/2 has it. */
function fieldsOf(backend: Backend, { method, target, fields }: BackendRequest): string[] {
  const sent = [":method", method, ":path", target, ":scheme", backend.scheme, ":authority", ""];
  let host: string | undefined;
  for (let at = 0; at < fields.length; at += 2) {
    const name = (fields[at] as string).toLowerCase();
    const value = fields[at + 1] as string;
    if (name === "host") {
      host ??= value;
    } else {
      sent.push(name, value);
    }
  }
  sent[authorityAt] = host ?? authorityOf(backend);
  return sent;
}

/** Place of the authority among the pseudo-fields. */
const authorityAt = 7;
