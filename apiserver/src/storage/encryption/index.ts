export { type Encryption, type EncryptionOptions, type EncryptionParts, openEncryption } from "./encryption.js";
export type { EncryptionObserver } from "./encryption-observer.js";
