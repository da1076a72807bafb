/**
 * Thrown when there is no credential, in words for the person who waits for one: printed as a line on standard error,
 * with exit code 1. Contains no token, key or secret, nor text of a server that might.
 */
export class CredentialError extends Error {
  override readonly name = "CredentialError";
}
