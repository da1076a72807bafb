import { HttpClientError } from "@gatehouse/component-base/errors";
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client";
import { CredentialError } from "../plugin/credential-error.js";
import { printable } from "../plugin/printable.js";

/**
 * Returns the error for the person who waits when the provider gave nothing; `doing` says what was tried. Quotes the
 * error code and its description of the provider's answer, never a body.
 */
export function providerError(doing: string, error: unknown): unknown {
  if (error instanceof CredentialError) {
    return error;
  }
  const why = reasonOf(error);
  return why === undefined ? error : new CredentialError(`${doing}: ${why}`, { cause: error });
}

/** The OAuth error code that the provider has answered with, such as `invalid_grant`. */
export function providerErrorCode(error: unknown): string | undefined {
  return error instanceof ResponseBodyError || error instanceof AuthorizationResponseError ? error.error : undefined;
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const description = error.error_description === undefined ? "" : ` (${printable(error.error_description)})`;
    return `the provider answered ${printable(error.error)}${description}`;
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    const { error: code = "" } = error.cause[0]?.parameters ?? {};
    return `the provider answered ${error.status}${code === "" ? "" : ` ${printable(code)}`}`;
  }
  const call = causesOf(error).find((cause) => cause instanceof HttpClientError);
  if (call instanceof HttpClientError) {
    return `the provider cannot be reached (${call.message})`;
  }
  // Their messages are fixed texts; what they are about is in the cause, which is not told.
  if (error instanceof ClientError || (error instanceof Error && libraryErrors.has(error.name))) {
    const answer = error.cause;
    return answer instanceof Response ? `${error.message} (${answer.status})` : error.message;
  }
  return undefined;
}

const libraryErrors: ReadonlySet<string> = new Set(["OperationProcessingError", "UnsupportedOperationError"]);

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause) {
    causes.push(cause);
  }
  return causes;
}
