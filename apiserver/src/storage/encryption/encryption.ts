import type { HealthCheck } from "@gatehouse/component-base/health";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { identity } from "../values/identity.js";
import type { ReadValue, ValueTransformer } from "../values/value-transformer.js";
import {
  type ReadConfiguration,
  type ReadOptions,
  readEncryptionConfiguration,
} from "./configuration/read-encryption-configuration.js";
import type { EncryptionObserver } from "./encryption-observer.js";
import { type FollowedConfiguration, followConfiguration } from "./follow-configuration.js";
import { KmsMetrics } from "./kms/kms-metrics.js";
import { checkAll } from "./kms/kms-probe.js";
import type { KmsParts } from "./kms/open-kms.js";
import { type CurrentProviders, type OpenedProviders, openProviders } from "./open-providers.js";
import { ReloadMetrics } from "./reload-metrics.js";
import { type ResourceOfKey, resourceOfKeys, type StoredResource } from "./resource-of-key.js";
import { TransformationMetrics } from "./transformation-metrics.js";

/** The configuration of the encryption of a store. */
export interface EncryptionOptions extends ReadOptions {
  /** The file of `--encryption-provider-config`. */
  readonly file: string;
  /** Milliseconds between looks at the file, where it is followed; 60,000 when absent. */
  readonly pollIntervalMs?: number | undefined;
  /** The name of this server, of which metrics show a hash. */
  readonly serverId: string;
}

/** The parts of a server that its encryption needs. */
export interface EncryptionParts {
  readonly keyPrefix: string;
  /** The places of the built-in resources in the store, served or not. */
  readonly resources: readonly StoredResource[];
  readonly registry: MetricsRegistry;
  readonly observer: EncryptionObserver;
  /** Called when values that could not be read may have become readable. */
  readonly onReadable: () => void;
}

/** The encryption of a store: a transformer of its values, and the checks of the services that hold keys. */
export interface Encryption extends ValueTransformer, AsyncDisposable {
  /** Checks behind `/readyz` and `/healthz`, named as in v1.29. */
  readonly healthChecks: readonly HealthCheck[];
  /** Checks of what the start has begun, behind `/livez` as well, named as in v1.29. */
  readonly startupChecks: readonly HealthCheck[];
}

const defaultPollIntervalMs = 60_000;

/**
 * Reads the configuration and opens its providers. Rejects with a ConfigurationError for one that cannot be used. A key
 * management service that does not answer yet is no error: reads and writes that need it fail until it does.
 */
export async function openEncryption(options: EncryptionOptions, parts: EncryptionParts): Promise<Encryption> {
  const { file, isReloaded, serverId, pollIntervalMs = defaultPollIntervalMs } = options;
  const { observer, registry, onReadable } = parts;
  const kmsParts: KmsParts = {
    metrics: new KmsMetrics(registry, serverId),
    transformations: new TransformationMetrics(registry),
    now: Date.now,
    onUnhealthy: (provider, error) => observer.kmsUnhealthy(provider, error),
    onRecovered: onReadable,
  };
  const open = ({ configuration, warnings }: ReadConfiguration): Promise<OpenedProviders> => {
    for (const warning of warnings) {
      observer.encryptionWarning(warning);
    }
    return openProviders(configuration, kmsParts);
  };
  const first = await readEncryptionConfiguration(file, options);
  const current: CurrentProviders = { providers: await open(first) };
  const followed = isReloaded
    ? followConfiguration({
        file,
        pollIntervalMs,
        current,
        contentHash: first.contentHash,
        read: () => readEncryptionConfiguration(file, options),
        open,
        observer,
        metrics: new ReloadMetrics(registry, serverId),
        onReadable,
      })
    : undefined;
  return {
    ...transformerOf(current, resourceOfKeys(parts.keyPrefix, parts.resources)),
    healthChecks: healthChecks(current, isReloaded),
    startupChecks: followed === undefined ? [] : [followedCheck(followed)],
    async [Symbol.asyncDispose]() {
      await followed?.[Symbol.asyncDispose]();
      current.providers[Symbol.dispose]();
    },
  };
}

function transformerOf(current: CurrentProviders, resourceOf: ResourceOfKey): ValueTransformer {
  const transformer = (key: string): ValueTransformer => {
    const resource = resourceOf(key);
    return resource === undefined ? identity : current.providers.transformerOf(resource);
  };
  return {
    toStored: (key: string, value: Buffer): Buffer | Promise<Buffer> => transformer(key).toStored(key, value),
    fromStored: (key: string, stored: Buffer): ReadValue | Promise<ReadValue> =>
      transformer(key).fromStored(key, stored),
  };
}

function followedCheck(followed: FollowedConfiguration): HealthCheck {
  return {
    name: "poststarthook/start-encryption-provider-config-automatic-reload",
    check() {
      if (!followed.isActive) {
        throw new Error("the configuration is no longer followed");
      }
    },
  };
}

/**
 * One check for each service, or one for all of them: where the file is followed, since services come and go, and where
 * all are of v2.
 */
function healthChecks(current: CurrentProviders, isReloaded: boolean): readonly HealthCheck[] {
  const { probes, kmsVersions } = current.providers;
  if (isReloaded || (kmsVersions.has("v2") && !kmsVersions.has("v1"))) {
    return [{ name: "kms-providers", check: () => checkAll(current.providers.probes) }];
  }
  return probes.map((probe, index) => ({ name: `kms-provider-${index}`, check: () => probe.check() }));
}
