import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { type Encryption, type EncryptionOptions, openEncryption } from "./encryption.js";
import type { EncryptionObserver } from "./encryption-observer.js";

/** Resources of the core group and of `apps`, as a server with few kinds stores them. */
const resources = [
  { group: "", resource: "secrets", prefix: "secrets" },
  { group: "", resource: "configmaps", prefix: "configmaps" },
  { group: "", resource: "namespaces", prefix: "namespaces" },
  { group: "", resource: "serviceaccounts", prefix: "serviceaccounts" },
  { group: "", resource: "services", prefix: "services/specs" },
  { group: "apps", resource: "deployments", prefix: "deployments" },
];

/** The key of a Secret and its value. */
export const secretKey = "/registry/secrets/default/a";
export const secretValue = Buffer.from('{"kind":"Secret"}');

/** An encryption, and what it has told of. */
export interface TestEncryption extends Encryption {
  readonly registry: MetricsRegistry;
  readonly file: string;
  /** The lines of the observer: `reloaded`, `refused: ...`, `unhealthy: ...`, `warning: ...`. */
  readonly told: readonly string[];
  /** Returns the number of times that values may have become readable. */
  readonly readable: () => number;
}

/** Opens encryptions whose configurations lie in a folder of their own. */
export class EncryptionFixture implements AsyncDisposable {
  readonly folder: string;
  #count = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<EncryptionFixture> {
    return new EncryptionFixture(await mkdtemp(join(tmpdir(), "encryption-")));
  }

  /** Writes a configuration with these entries, at once as a whole. Returns its path. */
  async write(
    entries: readonly object[],
    file = join(this.folder, `${this.#count++}.json`),
    mode = 0o600,
  ): Promise<string> {
    await writeFile(`${file}.new`, JSON.stringify(documentOf(entries)), { mode });
    await rename(`${file}.new`, file);
    return file;
  }

  /** Opens the encryption of a configuration with these entries. */
  async open(entries: readonly object[], options: Partial<EncryptionOptions> = {}): Promise<TestEncryption> {
    const file = options.file ?? (await this.write(entries));
    const told: string[] = [];
    const observer: EncryptionObserver = {
      encryptionWarning: (text) => told.push(`warning: ${text}`),
      encryptionReloaded: () => told.push("reloaded"),
      encryptionRefused: (_file, error) => told.push(`refused: ${error.message}`),
      kmsUnhealthy: (provider, error) => told.push(`unhealthy: ${provider}: ${error.message}`),
    };
    const registry = createMetricsRegistry({ processMetrics: false });
    let readable = 0;
    const encryption = await openEncryption(
      { isReloaded: false, allowsKmsV1: false, serverId: "server", ...options, file },
      { keyPrefix: "/registry/", resources, registry, observer, onReadable: () => readable++ },
    );
    return { ...encryption, registry, file, told, readable: () => readable };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

/** Returns a configuration with these entries. */
export function documentOf(entries: readonly object[] | undefined): object {
  const kind = { apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration" };
  return { ...kind, ...(entries === undefined ? {} : { resources: entries }) };
}

/** Returns an entry of a configuration. */
export function entry(names: readonly string[], ...providers: readonly object[]): object {
  return { resources: names, providers };
}

/** Returns keys of 32 bytes, which follow from their names. */
export function keysOf(...names: readonly string[]): object {
  return { keys: names.map((name) => ({ name, secret: Buffer.alloc(32, name).toString("base64") })) };
}
