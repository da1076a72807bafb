import type { AnswerHeaders, Exchange } from "../request/exchange.js";
import type { BackendAnswer } from "./backend.js";
import { forwardedTrailers } from "./forwarded-request.js";
import { answerHeadersOf, endToEndFields, filterFields, valuesOf } from "./header-fields.js";

/**
 * Sends the answer of a backend to the client: each piece as it comes, at the pace of the client. `headers` are sent
 * besides those of the backend. An answer that the backend does not bring to its end is broken off. Resolves when the client
 * has all of it or has gone away.
 */
export function relayAnswer(exchange: Exchange, answer: BackendAnswer, headers: AnswerHeaders = {}): Promise<void> {
  const fields = answerFieldsOf(answer);
  const announced = valuesOf(answer.fields, "trailer");
  if (announced.length > 0) {
    fields.push("Trailer", announced.join(", "));
  }
  const { body } = answer;
  body.on("error", ignore);
  const length = lengthOf(exchange, answer);
  const sent = answerHeadersOf(fields, headers);
  const isWhole = isHereAltogether(answer, length);
  try {
    if (isWhole) {
      exchange.send(answer.status, sent, (body.read() as Buffer | null) ?? undefined);
      body.resume();
    } else {
      exchange.begin(answer.status, sent, length === undefined);
    }
  } catch {
    // One protocol does not carry every header that another does.
    exchange.breakOff();
  }
  if (!isWhole && length !== 0 && !exchange.isClosed) {
    exchange.flush();
  }
  if (exchange.isClosed) {
    body.destroy();
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    exchange.whenClosed(() => {
      body.destroy();
      resolve();
    });
    if (!isWhole) {
      new Relay(exchange, answer, length).start();
    }
  });
}

/** Fields that a 304, which has no content, is sent without, as in v1.29. */
const contentFields: ReadonlySet<string> = new Set(["content-type", "content-length"]);

/** Returns the fields that the client gets. */
function answerFieldsOf({ status, fields }: BackendAnswer): string[] {
  const passed = endToEndFields(fields);
  return status === 304 ? filterFields(passed, (name) => !contentFields.has(name)) : passed;
}

/**
 * Reports whether the body of an answer is here with its head, as that of a short one is, so that both go out at once.
 * `length`: the one that the client is told.
 */
function isHereAltogether({ body, hasArrived, trailers }: BackendAnswer, length: number | undefined): boolean {
  return length === undefined ? hasArrived() && trailers().length === 0 : length > 0 && body.readableLength === length;
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
  readonly #answer: BackendAnswer;
  /** Bytes that are still to come; infinite if the client is not told. */
  #left: number;
  #isEnding = false;

  constructor(exchange: Exchange, answer: BackendAnswer, length: number | undefined) {
    this.#exchange = exchange;
    this.#answer = answer;
    this.#left = length ?? Number.POSITIVE_INFINITY;
  }

  start(): void {
    const { body } = this.#answer;
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
    const { body } = this.#answer;
    body.pause();
    void mayEnd.then(() => {
      body.resume();
      this.#write(piece);
    });
  }

  #write(piece: Buffer): void {
    const { body } = this.#answer;
    if (!this.#exchange.isClosed && !this.#exchange.write(piece)) {
      body.pause();
      this.#exchange.whenDrained(() => body.resume());
    }
  }

  #end(): void {
    const { isComplete, trailers } = this.#answer;
    if (!isComplete()) {
      this.#exchange.breakOff();
      return;
    }
    const fields = forwardedTrailers(trailers());
    try {
      this.#exchange.end(fields.length === 0 ? undefined : answerHeadersOf(fields));
    } catch {
      // One protocol does not carry every header that another does.
      this.#exchange.breakOff();
    }
  }
}

function ignore(): void {}
