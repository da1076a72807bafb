import { inNextRound } from "@gatehouse/component-base/time";
import type { MaybePromise } from "@gatehouse/envelopes/scheduling";
import type { Exchange } from "../request/exchange.js";
import type { HeaderFields } from "../request/header-fields.js";
import type { BackendAnswer, BackendContent } from "./backend.js";
import { endToEndFields, filterFields, valuesOf, withoutRepeats } from "./forwarded-fields.js";
import { forwardedTrailers } from "./forwarded-request.js";

/**
 * Sends the answer of a backend to the client: each piece as it comes, at the pace of the client. `own` are sent besides the
 * fields of the backend. An answer that the backend does not bring to its end is broken off. Done when all of it has
 * been handed over, or the client has gone away: at once if all of it is here.
 */
export function relayAnswer(exchange: Exchange, answer: BackendAnswer, own: HeaderFields = []): MaybePromise<void> {
  const length = lengthOf(exchange, answer);
  const fields = answerFieldsOf(answer, own);
  if (sendWhole(exchange, answer, fields, length)) {
    return;
  }
  if (length === undefined || length === 0 || length > shortBytes) {
    return stream(exchange, answer, fields, length);
  }
  // Mostly the content has come right behind the head: a stream for it would cost as much as all else.
  return new Promise<void>(inNextRound).then(() =>
    sendWhole(exchange, answer, fields, length) ? undefined : stream(exchange, answer, fields, length),
  );
}

/** Bytes of content that are waited for until all connections have been read from. */
const shortBytes = 16 * 1024;

/** Sends an answer whose content is here. Returns false if it is not. */
function sendWhole(
  exchange: Exchange,
  { status, content }: BackendAnswer,
  fields: string[],
  length: number | undefined,
): boolean {
  const whole = content.takeWhole(length);
  if (whole !== undefined) {
    carry(exchange, () => exchange.send(status, fields, whole));
  }
  return whole !== undefined;
}

/** Sends an answer whose content comes in pieces. */
function stream(
  exchange: Exchange,
  { status, content }: BackendAnswer,
  fields: string[],
  length: number | undefined,
): MaybePromise<void> {
  const { body } = content;
  body.on("error", ignore);
  carry(exchange, () => exchange.begin(status, fields, length === undefined));
  if (length !== 0 && !exchange.isClosed) {
    exchange.flush();
  }
  if (exchange.isClosed) {
    body.destroy();
    return;
  }
  return new Promise((resolve) => {
    exchange.whenClosed(() => {
      body.destroy();
      resolve();
    });
    new Relay(exchange, content, length).start();
  });
}

/** Sends a head, and breaks the answer off where the protocol of the client does not carry all of its headers. */
function carry(exchange: Exchange, send: () => void): void {
  try {
    send();
  } catch {
    exchange.breakOff();
  }
}

/** Fields that a 304, which has no content, is sent without, as in v1.29. */
const contentFields: ReadonlySet<string> = new Set(["content-type", "content-length"]);

/** Returns the fields that the client gets: those of this server first. */
function answerFieldsOf({ status, fields }: BackendAnswer, own: HeaderFields): string[] {
  const all = [...own];
  const passed = endToEndFields(fields);
  all.push(...(status === 304 ? filterFields(passed, (name) => !contentFields.has(name)) : passed));
  const announced = valuesOf(fields, "trailer");
  if (announced.length > 0) {
    all.push("Trailer", announced.join(", "));
  }
  return withoutRepeats(all);
}

/** Returns the length of the body in bytes that the client is told; undefined if it is not. */
function lengthOf({ method }: Exchange, { status, fields }: BackendAnswer): number | undefined {
  if (method === "HEAD" || status === 204 || status === 304) {
    return 0;
  }
  const [length] = valuesOf(fields, "content-length");
  return length === undefined ? undefined : Number(length);
}

/** The body of one answer on its way from the backend to the client. */
class Relay {
  readonly #exchange: Exchange;
  readonly #content: BackendContent;
  /** Bytes that are still to come; infinite if the client is not told. */
  #left: number;
  #isEnding = false;

  constructor(exchange: Exchange, content: BackendContent, length: number | undefined) {
    this.#exchange = exchange;
    this.#content = content;
    this.#left = length ?? Number.POSITIVE_INFINITY;
  }

  start(): void {
    const { body } = this.#content;
    body.on("data", (piece: Buffer) => this.#take(piece));
    body.once("end", () => this.#end());
    body.once("close", () => {
      if (!body.readableEnded) {
        this.#exchange.breakOff();
      }
    });
    if (body.destroyed && !body.readableEnded) {
      this.#exchange.breakOff();
    }
  }

  #take(piece: Buffer): void {
    this.#left -= piece.length;
    if (this.#left > 0 || this.#isEnding) {
      this.#write(piece);
      return;
    }
    // For a client that knows the length, the last byte is the end of the answer.
    this.#isEnding = true;
    const mayEnd = this.#exchange.mayEnd();
    if (mayEnd === undefined) {
      this.#write(piece);
      return;
    }
    const { body } = this.#content;
    body.pause();
    void mayEnd.then(() => {
      body.resume();
      this.#write(piece);
    });
  }

  #write(piece: Buffer): void {
    const { body } = this.#content;
    if (!this.#exchange.isClosed && !this.#exchange.write(piece)) {
      body.pause();
      this.#exchange.whenDrained(() => body.resume());
    }
  }

  #end(): void {
    const { isComplete, trailers } = this.#content;
    if (!isComplete()) {
      this.#exchange.breakOff();
      return;
    }
    const fields = forwardedTrailers(trailers());
    carry(this.#exchange, () => this.#exchange.end(fields.length === 0 ? undefined : withoutRepeats(fields)));
  }
}

function ignore(): void {}
