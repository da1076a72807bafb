import { randomBytes, randomUUID } from "node:crypto";
import { ValueUnavailableError } from "../../values/value-transformer.js";
import type { Cipher } from "../ciphers/cipher.js";
import { extendedNonceGcm, minSeedBytes } from "../ciphers/extended-nonce-gcm.js";
import type { TransformationMetrics } from "../transformation-metrics.js";
import { type KeySource, keySourceTypes, validateKeyId, validateKeySource } from "./encrypted-object.js";
import type { EncryptResponse, KmsV2Methods, StatusResponse } from "./kms-api.js";
import type { KmsConnection } from "./kms-connection.js";
import { hashOf, type KmsMetrics } from "./kms-metrics.js";
import type { HealthProbe } from "./kms-probe.js";

/** The time in milliseconds for which writes go on with a key although its service fails. */
export const maxWriteMs = 3 * 60_000;

/** The key that values are written with. */
export interface WriteKey {
  readonly source: KeySource;
  readonly cipher: Cipher;
  /** Time of `now` after which it must not encrypt any more. */
  readonly expiresAtMs: number;
}

/** The service behind a write key. */
export interface KmsV2KeyOptions {
  readonly name: string;
  readonly connection: Pick<KmsConnection, "call">;
  readonly methods: KmsV2Methods;
  readonly metrics: KmsMetrics;
  readonly transformations: TransformationMetrics;
  /** Milliseconds on any clock. */
  readonly now: () => number;
}

/**
 * The key that a provider of KMS v2 writes with: a seed of this process, encrypted once by the service. Each successful
 * check of the service extends its life; a new key ID of the service replaces it.
 */
export class KmsV2Key implements HealthProbe {
  readonly #options: KmsV2KeyOptions;
  #current: WriteKey | undefined;
  #version: string | undefined;

  constructor(options: KmsV2KeyOptions) {
    this.#options = options;
  }

  /** The current key, for what is read. Throws before there has been one. */
  get current(): WriteKey {
    if (this.#current === undefined) {
      throw new ValueUnavailableError("got unexpected nil transformer");
    }
    return this.#current;
  }

  /** The current key, for what is written. Throws when the service has failed for too long. */
  forWrites(): WriteKey {
    const key = this.current;
    const nowMs = this.#options.now();
    if (nowMs > key.expiresAtMs) {
      const times = `expired at ${goTime(key.expiresAtMs)} (current time is ${goTime(nowMs)})`;
      throw new Error(`encryptedDEKSource with keyID hash ${JSON.stringify(hashOf(key.source.keyID))} ${times}`);
    }
    return key;
  }

  /** Asks the service for its status, and makes a new key when it names another key ID. Rejects when it is not healthy. */
  async check(): Promise<void> {
    const { name, connection, methods } = this.#options;
    let status: StatusResponse;
    try {
      status = await connection.call(methods.Status, {});
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw new Error(
        `failed to perform status section of the healthz check for KMS Provider ${name}, error: ${text}`,
        {
          cause: error,
        },
      );
    }
    const problems = await this.#problemsOf(status);
    if (problems.length > 0) {
      const text = problems.length === 1 ? problems[0] : `[${problems.join(", ")}]`;
      throw new Error(`kmsv2 Provider ${name} is not healthy, error: ${text}`);
    }
  }

  async #problemsOf({ healthz, version, keyId }: StatusResponse): Promise<readonly string[]> {
    const { name, metrics } = this.#options;
    const problems: string[] = [];
    if (healthz !== "ok") {
      problems.push(`got unexpected healthz status: ${healthz}`);
    }
    if (version !== "v2" && version !== "v2beta1") {
      problems.push(`expected KMSv2 API version v2, got ${version}`);
    } else {
      this.#version ??= version;
      if (this.#version !== version) {
        problems.push(
          `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`,
        );
      }
    }
    const keyIdProblem = validateKeyId(keyId);
    if (keyIdProblem !== undefined) {
      metrics.invalidKeyId(name, keyIdProblem.code);
      problems.push(`got invalid KMSv2 KeyID hash ${JSON.stringify(hashOf(keyId))}: ${keyIdProblem.message}`);
      return problems;
    }
    metrics.keyIdOfStatus(name, keyId);
    const problem = await this.#extendOrReplace(keyId);
    return problem === undefined ? problems : [...problems, problem];
  }

  /** Extends the life of the key, or replaces it when `keyId` is another one. Returns what kept it from doing so. */
  async #extendOrReplace(keyId: string): Promise<string | undefined> {
    // Counted from before the call, since it is the upper bound.
    const expiresAtMs = this.#options.now() + maxWriteMs;
    const current = this.#current;
    if (current?.source.keyID === keyId) {
      this.#current = { ...current, expiresAtMs };
      return undefined;
    }
    const uid = randomUUID();
    let encryptedBy = "";
    let problem: string;
    try {
      const made = await this.#make(uid);
      encryptedBy = made.source.keyID;
      if (encryptedBy === keyId) {
        this.#current = { ...made, expiresAtMs };
        return undefined;
      }
      problem = "<nil>";
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    const hashes = [
      `statusKeyIDHash=${JSON.stringify(hashOf(keyId))}`,
      `encryptKeyIDHash=${JSON.stringify(hashOf(encryptedBy))}`,
      `stateKeyIDHash=${JSON.stringify(hashOf(current?.source.keyID ?? ""))}`,
    ];
    const state = current === undefined ? "got unexpected nil transformer" : "<nil>";
    const expires = current === undefined ? "0001-01-01T00:00:00Z" : goTime(current.expiresAtMs);
    return `failed to rotate DEK uid=${JSON.stringify(uid)}, useSeed=true, errState=${state}, errGen=${problem}, ${hashes.join(", ")}, expirationTimestamp=${expires}`;
  }

  async #make(uid: string): Promise<Omit<WriteKey, "expiresAtMs">> {
    const { connection, methods, transformations } = this.#options;
    const seed = transformations.generateKey(() => randomBytes(minSeedBytes));
    let answer: EncryptResponse;
    try {
      answer = await connection.call(methods.Encrypt, { plaintext: seed, uid });
    } catch (error) {
      throw new Error(`failed to encrypt DEK, error: ${error instanceof Error ? error.message : String(error)}`);
    }
    const source: KeySource = {
      keyID: answer.keyId,
      encryptedDEKSource: Buffer.from(answer.ciphertext),
      annotations: answer.annotations,
      encryptedDEKSourceType: keySourceTypes.hkdfSha256ExtendedNonceAesGcmSeed,
    };
    validateKeySource(source);
    return { source, cipher: extendedNonceGcm(seed) };
  }
}

function goTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
