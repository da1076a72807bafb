/**
 * Why there is no credential, in words for the person who waits for one: told in a line on standard error, and the exit
 * code is 1. Holds no token, key or secret, nor text of a server that might.
 */
export class CredentialError extends Error {
  override readonly name = "CredentialError";
}
