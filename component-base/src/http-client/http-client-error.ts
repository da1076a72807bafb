/**
 * Why no answer came. `timeout`: the time that was given is over; `aborted`: the caller's signal; `too-large`: the body
 * exceeds the bound; `credentials`: there is nothing to prove oneself with, because a file cannot be read or a credential
 * plugin has failed; `connection`: anything on the way (refused, reset, certificate not trusted); `protocol`: an answer
 * that is not what was asked for, such as JSON that does not parse.
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
