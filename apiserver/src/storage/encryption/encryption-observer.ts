/** Receives what happens to the encryption of the store; the log of the server is one. No method gets a key. */
export interface EncryptionObserver {
  /** The configuration is used, although something about it should be mended. */
  encryptionWarning(text: string): void;
  /** The file has changed and counts from now on. */
  encryptionReloaded(file: string): void;
  /** The file has changed and cannot be used; the configuration before it counts. */
  encryptionRefused(file: string, error: Error): void;
  /** A key management service has failed a check; told with each check that fails. */
  kmsUnhealthy(provider: string, error: Error): void;
}
