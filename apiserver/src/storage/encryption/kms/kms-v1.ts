import { randomBytes } from "node:crypto";
import { type ReadValue, ValueUnavailableError } from "../../values/value-transformer.js";
import { aesCbc } from "../ciphers/aes-cbc.js";
import { aesGcm } from "../ciphers/aes-gcm.js";
import type { Cipher, PartsTransformer, StoredParts } from "../ciphers/cipher.js";
import type { TransformationMetrics } from "../transformation-metrics.js";
import { KeyCache } from "./key-cache.js";
import { type KmsV1Methods, kmsV1Version } from "./kms-api.js";
import type { KmsConnection } from "./kms-connection.js";
import type { KmsMetrics } from "./kms-metrics.js";
import type { HealthProbe } from "./kms-probe.js";

const keyBytes = 32;
const lengthBytes = 2;

/** The service behind a transformer of KMS v1. */
export interface KmsV1Options {
  readonly name: string;
  readonly connection: Pick<KmsConnection, "call">;
  readonly methods: KmsV1Methods;
  readonly metrics: KmsMetrics;
  readonly transformations: TransformationMetrics;
  /** Number of decrypted keys to keep; none for 0 and less. */
  readonly cacheSize: number;
}

/**
 * A transformer by KMS v1: every value is encrypted by a key of its own, which the service encrypts and which stands
 * before it. Written by AES-GCM; older releases wrote by AES-CBC, which is read, and stale.
 */
export class KmsV1Transformer implements PartsTransformer, HealthProbe {
  readonly #options: KmsV1Options;
  readonly #cache: KeyCache<Cipher>;
  #versionChecked: Promise<void> | undefined;

  constructor(options: KmsV1Options) {
    this.#options = options;
    this.#cache = new KeyCache(options.cacheSize);
  }

  async toParts(key: string, value: Buffer): Promise<StoredParts> {
    const { metrics, transformations } = this.#options;
    metrics.arrival("to_storage");
    const dataKey = transformations.generateKey(() => randomBytes(keyBytes));
    const encryptedKey = await this.#encrypt(dataKey);
    if (encryptedKey.length > 0xffff) {
      throw new Error(`the key management service has made ${encryptedKey.length} bytes of a key, of at most 65535`);
    }
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt16BE(encryptedKey.length);
    return [length, encryptedKey, ...this.#keep(encryptedKey, dataKey).toParts(key, value)];
  }

  fromStored(key: string, stored: Buffer): ReadValue | Promise<ReadValue> {
    const { metrics, transformations, cacheSize } = this.#options;
    metrics.arrival("from_storage");
    const end = lengthBytes + (stored.length < lengthBytes ? 0 : stored.readUInt16BE(0));
    if (stored.length < end) {
      throw new Error("invalid data encountered by envelope transformer: failed to read uint16 length prefixed data");
    }
    const encryptedKey = stored.subarray(lengthBytes, end);
    const data = stored.subarray(end);
    const cached = this.#cache.get(encryptedKey.toString("latin1"));
    if (cached !== undefined) {
      return cached.fromStored(key, data);
    }
    if (cacheSize > 0) {
      transformations.cacheMiss();
    }
    return this.#decrypt(encryptedKey).then((dataKey) => this.#keep(encryptedKey, dataKey).fromStored(key, data));
  }

  /** Has the service encrypt and decrypt a word. */
  async check(): Promise<void> {
    const { name } = this.#options;
    const during = async <T>(section: string, call: Promise<T>): Promise<T> => {
      try {
        return await call;
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        throw new Error(
          `failed to perform ${section} section of the healthz check for KMS Provider ${name}, error: ${text}`,
          { cause: error },
        );
      }
    };
    const encrypted = await during("encrypt", this.#encrypt(Buffer.from("ping")));
    await during("decrypt", this.#decrypt(encrypted));
  }

  async #encrypt(plain: Buffer): Promise<Buffer> {
    const { connection, methods } = this.#options;
    await this.#checkVersion();
    return Buffer.from((await connection.call(methods.Encrypt, { version: kmsV1Version, plain })).cipher);
  }

  async #decrypt(cipher: Buffer): Promise<Buffer> {
    const { connection, methods } = this.#options;
    await this.#checkVersion();
    return Buffer.from((await connection.call(methods.Decrypt, { version: kmsV1Version, cipher })).plain);
  }

  /** Asks the service for the version of its protocol, until it has once answered with the right one. */
  #checkVersion(): Promise<void> {
    this.#versionChecked ??= this.#askVersion().catch((error: unknown) => {
      this.#versionChecked = undefined;
      throw error;
    });
    return this.#versionChecked;
  }

  async #askVersion(): Promise<void> {
    const { connection, methods } = this.#options;
    let version: string;
    try {
      ({ version } = await connection.call(methods.Version, { version: kmsV1Version }));
    } catch (error) {
      const text = `failed get version from remote KMS provider: ${error instanceof Error ? error.message : String(error)}`;
      throw error instanceof ValueUnavailableError
        ? new ValueUnavailableError(text, { cause: error })
        : new Error(text, { cause: error });
    }
    if (version !== kmsV1Version) {
      throw new Error(`KMS provider api version ${version} is not supported, only ${kmsV1Version} is supported now`);
    }
  }

  #keep(encryptedKey: Buffer, dataKey: Buffer): Cipher {
    const transformer = readEither(aesGcm(dataKey), aesCbc(dataKey));
    this.#cache.set(encryptedKey.toString("latin1"), transformer);
    if (this.#options.cacheSize > 0) {
      this.#options.metrics.cacheFill(this.#cache.size / this.#options.cacheSize);
    }
    return transformer;
  }
}

/** Returns a cipher that writes by the first one, and reads by the second one what the first one cannot read. */
function readEither(first: Cipher, second: Cipher): Cipher {
  return {
    toParts: (key, value) => first.toParts(key, value),
    fromStored(key, stored) {
      try {
        return first.fromStored(key, stored);
      } catch (error) {
        try {
          return { value: second.fromStored(key, stored).value, isStale: true };
        } catch {
          throw error;
        }
      }
    },
  };
}
