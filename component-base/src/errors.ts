import { formatProblems, type Problem } from "./problems/problem.js";

/*
 * The errors that functions of this package throw. Messages are for people and hold no token, key or password.
 */

/**
 * The error for a configuration that cannot be used: flags, a file, a certificate. It carries every problem found, so
 * that one attempt is enough to mend them all. Thrown by the readers of flags, documents, kubeconfigs and certificates. A
 * program prints the message and exits with 1; one that reads a file anew keeps what it had.
 */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly problems: readonly Problem[];

  /** `subject` names the source, for instance `flags` or a file. */
  constructor(subject: string, problems: readonly Problem[]) {
    super(`${subject}: ${formatProblems(problems)}`);
    this.problems = problems;
  }
}

/**
 * The error for a command that cannot do what its user asked, for a reason that the user can mend. Thrown by commands;
 * `runCommands` prints the message as one line and exits with 1.
 */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * The reason why no answer came. `timeout`: the time limit has passed; `aborted`: the caller's signal; `too-large`: the
 * body exceeds the bound; `credentials`: the caller has none, because a file cannot be read or a credential plugin has
 * failed; `connection`: a failure on the way (refused, reset, certificate not trusted); `protocol`: an answer that is not
 * of the expected form, such as JSON that does not parse.
 */
export type HttpClientFailure = "timeout" | "aborted" | "too-large" | "credentials" | "connection" | "protocol";

/**
 * The error for a request without an answer; an answer with a 4xx or 5xx code is an answer. Calls of an HTTP client reject
 * with it. Its `cause` is the failure below (of the connection, the proxy, the handshake or the certificate), whose
 * classes are internal. A caller looks at `failure`: `timeout` and `connection` may be tried again.
 */
export class HttpClientError extends Error {
  override readonly name = "HttpClientError";
  readonly failure: HttpClientFailure;

  constructor(failure: HttpClientFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/**
 * The error for an identity token that is refused: a claim is missing, of a wrong type or not as demanded, or the
 * signature is wrong; in v1.29's words. Thrown by the verifiers of OpenID Connect tokens. An authenticator counts the
 * token as not accepted.
 */
export class ClaimsError extends Error {
  override readonly name = "ClaimsError";
}

/**
 * The error for a certificate signing request that is refused, in v1.29's words where v1.29 refuses it, too. Thrown by
 * the reader of requests. A validation shows the message as the problem of the field.
 */
export class CertificateRequestError extends Error {
  override readonly name = "CertificateRequestError";
}

/**
 * The error for an authority that cannot sign, because it has ended. `signRequest` rejects with it. A signer reports it in
 * the status of the request.
 */
export class SignRequestError extends Error {
  override readonly name = "SignRequestError";
}

/**
 * The error for a folder that another process uses. `lockDirectory` rejects with it. A program prints the message and
 * exits: two processes must not share their data.
 */
export class DirectoryInUseError extends Error {
  override readonly name = "DirectoryInUseError";
}
