/**
 * Reason why no answer came. `timeout`: the time limit has passed; `aborted`: the caller's signal; `too-large`: the
 * body exceeds the bound; `credentials`: the caller has none, because a file cannot be read or a credential plugin has
 * failed;
 * `connection`: a failure on the way (refused, reset, certificate not trusted); `protocol`: an answer that is not of
 * the expected form, such as JSON that does not parse.
 */
export type HttpClientFailure = "timeout" | "aborted" | "too-large" | "credentials" | "connection" | "protocol";

/** A request that has no answer. An answer with a 4xx or 5xx code is an answer, not one of these. */
export class HttpClientError extends Error {
  override readonly name = "HttpClientError";
  readonly failure: HttpClientFailure;

  constructor(failure: HttpClientFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
