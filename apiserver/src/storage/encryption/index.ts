export { type Encryption, type EncryptionOptions, type EncryptionParts, openEncryption } from "./encryption.js";
export type { EncryptionObserver } from "./encryption-observer.js";
export { type KmsV1Methods, type KmsV2Methods, loadKmsV1, loadKmsV2 } from "./kms/kms-api.js";
export { kmsTarget } from "./kms/kms-connection.js";
export { type ResourceOfKey, resourceOfKeys, type StoredResource } from "./resource-of-key.js";
