import { malformedResponseProblem } from "./malformed-response.js";

/** An answer that broke off before its end. */
export class TruncatedBodyError extends Error {
  override readonly name = "TruncatedBodyError";

  constructor(options?: ErrorOptions) {
    super("the response ended before its end", options);
  }
}

/** What came is no answer in HTTP/1.1. */
export class MalformedResponseError extends Error {
  override readonly name = "MalformedResponseError";
  /** What is wrong, in Go's words. */
  readonly problem: string;

  constructor(beginning: Buffer | undefined, options?: ErrorOptions) {
    super("the response is malformed", options);
    const head = beginning?.subarray(0, maxHeadBytes).toString("latin1") ?? "";
    this.problem = malformedResponseProblem(head) ?? "malformed HTTP response";
  }
}

/** Of what came, as much as is looked at for what is wrong. */
const maxHeadBytes = 16 * 1024;
