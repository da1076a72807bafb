/** The bound of an answer's headers in bytes, as for other servers that are called. */
export const maxHeaderBytes = 1024 * 1024;

/** The error for a backend that closed the connection without an answer. `code` is Node's for that. */
export class BackendClosedError extends Error {
  override readonly name = "BackendClosedError";
  readonly code = "ECONNRESET";

  constructor() {
    super("the backend closed the connection without an answer");
  }
}

/** The error for a request that a backend has refused without looking at it (RFC 9113, section 8.7). */
export class RequestUnseenError extends Error {
  override readonly name = "RequestUnseenError";

  constructor() {
    super("the backend has refused the request without looking at it");
  }
}

/** The error for a backend whose answer has not begun in time. */
export class HeadersTimeoutError extends Error {
  override readonly name = "HeadersTimeoutError";

  constructor(timeoutMs: number) {
    super(`the backend has not begun to answer within ${timeoutMs} ms`);
  }
}

/** The error for a backend that changes to another protocol without having been asked. */
export class UnaskedUpgradeError extends Error {
  override readonly name = "UnaskedUpgradeError";

  constructor() {
    super("the backend changed the protocol without having been asked");
  }
}
