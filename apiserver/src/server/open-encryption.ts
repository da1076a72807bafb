import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { ServerLog } from "../logs/server-log.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { ResourceDefinition } from "../registry/resource-definition.js";
import { storedResources } from "../registry/stored-resources.js";
import { type Encryption, openEncryption } from "../storage/encryption/index.js";
import { serverId } from "./server-id.js";

/** The encryption of what is stored. */
export interface StorageEncryption {
  /** The path of an EncryptionConfiguration. */
  readonly configFile: string;
  /** True if the file is followed as it changes. */
  readonly automaticReload: boolean;
  /** Milliseconds between looks at the file; 60,000 when absent. */
  readonly pollIntervalMs?: number;
  /** Resources that may be in the store, besides those that are served and custom ones; none when absent. */
  readonly resources?: readonly ResourceDefinition[];
}

/** The parts of the server that encryption needs. */
export interface EncryptionSurroundings {
  readonly keyPrefix: string;
  /** The resources that are served. */
  readonly served: readonly ResourceDefinition[];
  readonly features: FeatureGates;
  readonly metrics: MetricsRegistry;
  readonly log: ServerLog;
  /** Called when values that could not be read may have become readable. */
  readonly onReadable: () => void;
}

/** Opens the encryption of a store. Rejects with a ConfigurationError when it cannot be used as configured. */
export function openStorageEncryption(
  { configFile, automaticReload, pollIntervalMs, resources = [] }: StorageEncryption,
  { keyPrefix, served, features, metrics, log, onReadable }: EncryptionSurroundings,
): Promise<Encryption> {
  return openEncryption(
    {
      file: configFile,
      isReloaded: automaticReload,
      pollIntervalMs,
      allowsKmsV1: features.enabled("KMSv1"),
      serverId: serverId(),
    },
    { keyPrefix, resources: storedResources([...resources, ...served]), registry: metrics, observer: log, onReadable },
  );
}
