import { malformedResponseProblem } from "./malformed-response.js";

/** An answer that broke off before its end. */
export class TruncatedBodyError extends Error {
  override readonly name = "TruncatedBodyError";

  constructor(options?: ErrorOptions) {
    super("the response ended before its end", options);
  }
}

/** Thrown when the received bytes are no HTTP/1.1 answer. */
export class MalformedResponseError extends Error {
  override readonly name = "MalformedResponseError";
  /** The fault of the answer, in Go's words. */
  readonly problem: string;

  constructor(beginning: Buffer | undefined, options?: ErrorOptions) {
    super("the response is malformed", options);
    const head = beginning?.subarray(0, maxHeadBytes).toString("latin1") ?? "";
    this.problem = malformedResponseProblem(head) ?? "malformed HTTP response";
  }
}

/** Maximum size in bytes of the part of an answer that is examined for faults. */
const maxHeadBytes = 16 * 1024;
