import { randomUUID } from "node:crypto";
import type { MessageCodec } from "@gatehouse/component-base/grpc";
import { type ReadValue, ValueUnavailableError } from "../../values/value-transformer.js";
import { aesGcm } from "../ciphers/aes-gcm.js";
import type { Cipher, PartsTransformer, StoredParts } from "../ciphers/cipher.js";
import { extendedNonceGcm } from "../ciphers/extended-nonce-gcm.js";
import { type EncryptedObject, type KeySource, keySourceTypes, validateEncryptedObject } from "./encrypted-object.js";
import { KeyCache } from "./key-cache.js";
import type { KmsV2Key, KmsV2KeyOptions, WriteKey } from "./kms-v2-key.js";

/** Number of decrypted seeds and keys that a provider keeps: about one for each start of a server since the last rewrite. */
const maxCachedKeys = 4096;

/** The parts of a transformer of KMS v2. */
export interface KmsV2TransformerOptions extends Omit<KmsV2KeyOptions, "now"> {
  readonly key: KmsV2Key;
  readonly codec: MessageCodec<EncryptedObject>;
}

/**
 * A transformer by KMS v2: values are encrypted in this process by a key that the service has encrypted, and that stands
 * beside them. The service is asked only for keys that this process has not made or seen.
 */
export class KmsV2Transformer implements PartsTransformer {
  readonly #options: KmsV2TransformerOptions;
  readonly #cache = new KeyCache<Cipher>(maxCachedKeys);
  readonly #decrypting = new Map<string, Promise<Cipher>>();
  #written: { readonly source: KeySource; readonly tail: Buffer } | undefined;

  constructor(options: KmsV2TransformerOptions) {
    this.#options = options;
  }

  toParts(key: string, value: Buffer): StoredParts {
    const { metrics, name } = this.#options;
    const writeKey = this.#options.key.forWrites();
    const { source, cipher } = writeKey;
    const tail = this.#tailOf(writeKey);
    const encrypted = cipher.toParts(key, value);
    metrics.keyIdUsed("to_storage", name, source.keyID);
    const length = encrypted.reduce((sum, part) => sum + part.length, 0);
    return [dataHeader(length), ...encrypted, tail];
  }

  fromStored(key: string, stored: Buffer): ReadValue | Promise<ReadValue> {
    const object = this.#options.codec.decode(stored);
    validateEncryptedObject(object);
    const { source } = this.#options.key.current;
    const cacheKey = cacheKeyOf(object);
    const cipher = this.#cache.get(cacheKey) ?? this.#decrypt(object, cacheKey);
    const read = (by: Cipher): ReadValue => {
      this.#options.metrics.keyIdUsed("from_storage", this.#options.name, object.keyID);
      const { value } = by.fromStored(key, object.encryptedData);
      const isStale = object.keyID !== source.keyID || object.encryptedDEKSourceType !== source.encryptedDEKSourceType;
      return { value, isStale };
    };
    return cipher instanceof Promise ? cipher.then(read) : read(cipher);
  }

  /**
   * Returns everything behind the encrypted value in the form at rest, which is the same as long as the key is. A new key
   * is put into the cache.
   */
  #tailOf({ source, cipher }: WriteKey): Buffer {
    if (this.#written?.source !== source) {
      const tail = this.#options.codec.encode(source);
      this.#written = { source, tail: Buffer.from(tail) };
      this.#keep(cacheKeyOf(source), cipher);
    }
    return (this.#written as { readonly tail: Buffer }).tail;
  }

  /** Has the service decrypt a key; values that need the same one at the same time share the call. */
  #decrypt(source: KeySource, cacheKey: string): Promise<Cipher> {
    let decrypting = this.#decrypting.get(cacheKey);
    if (decrypting === undefined) {
      decrypting = this.#askFor(source, cacheKey).finally(() => this.#decrypting.delete(cacheKey));
      this.#decrypting.set(cacheKey, decrypting);
    }
    return decrypting;
  }

  async #askFor(source: KeySource, cacheKey: string): Promise<Cipher> {
    const { connection, methods, transformations } = this.#options;
    transformations.cacheMiss();
    let key: Buffer;
    try {
      const { plaintext } = await connection.call(methods.Decrypt, {
        ciphertext: source.encryptedDEKSource,
        uid: randomUUID(),
        keyId: source.keyID,
        annotations: source.annotations,
      });
      key = Buffer.from(plaintext);
    } catch (error) {
      const text = `failed to decrypt DEK, error: ${error instanceof Error ? error.message : String(error)}`;
      throw error instanceof ValueUnavailableError
        ? new ValueUnavailableError(text, { cause: error })
        : new Error(text, { cause: error });
    }
    const isSeed = source.encryptedDEKSourceType === keySourceTypes.hkdfSha256ExtendedNonceAesGcmSeed;
    const cipher = isSeed ? extendedNonceGcm(key) : aesGcm(key);
    this.#keep(cacheKey, cipher);
    return cipher;
  }

  #keep(cacheKey: string, cipher: Cipher): void {
    this.#cache.set(cacheKey, cipher);
    this.#options.metrics.cachedSources(this.#options.name, this.#cache.size);
  }
}

/** Returns the protobuf tag and length of the encrypted value, the first member of the form at rest. */
function dataHeader(length: number): Buffer {
  const bytes = [0x0a];
  let rest = length;
  for (; rest > 127; rest >>>= 7) {
    bytes.push((rest & 127) | 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** Returns the name of a key source in the cache, another one for each source. */
function cacheKeyOf({ keyID, encryptedDEKSource, annotations, encryptedDEKSourceType }: KeySource): string {
  let name = `${encryptedDEKSourceType} ${encryptedDEKSource.length} ${encryptedDEKSource.toString("latin1")}`;
  for (const text of [keyID, ...Object.keys(annotations).sort()]) {
    const value = annotations[text]?.toString("latin1") ?? "";
    name += `${text.length} ${text}${value.length} ${value}`;
  }
  return name;
}
