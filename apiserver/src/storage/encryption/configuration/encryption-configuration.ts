/** A configuration of encryption that has been checked. */
export interface EncryptionConfiguration {
  readonly resources: readonly ResourceProviders[];
}

/** Resources, and the providers that their objects are stored through. */
export interface ResourceProviders {
  /** Names of resources, `secrets` or `*.apps`. */
  readonly resources: readonly string[];
  /** The first one encrypts what is written, all of them are tried for what is read. */
  readonly providers: readonly Provider[];
}

/** One provider. */
export type Provider =
  | { readonly type: "identity" }
  | { readonly type: "aescbc" | "aesgcm" | "secretbox"; readonly keys: readonly NamedKey[] }
  | KmsProvider;

/** A key of the configuration. */
export interface NamedKey {
  readonly name: string;
  readonly key: Buffer;
}

/** A key management service. */
export interface KmsProvider {
  readonly type: "kms";
  readonly apiVersion: "v1" | "v2";
  readonly name: string;
  readonly endpoint: string;
  readonly timeoutMs: number;
  /** Number of decrypted keys to keep; v1 only. */
  readonly cacheSize: number;
}
