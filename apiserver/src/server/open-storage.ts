import { join } from "node:path";
import type { HealthCheck } from "@gatehouse/component-base/health";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { ServerLog } from "../logs/server-log.js";
import { defaultFeatureGates } from "../options/feature-gates.js";
import { LiveRegistry } from "../registry/live-registry.js";
import { openResources } from "../registry/open-resources.js";
import { ResourceRegistry } from "../registry/resource-registry.js";
import { ResourceStorages } from "../registry/resource-storages.js";
import { StoreFeed } from "../storage/cache/store-feed.js";
import { startCompactor } from "../storage/compactor.js";
import { openLmdbStore } from "../storage/lmdb/lmdb-store.js";
import type { Store } from "../storage/store.js";
import { chainTransformers, identity, transformedStore } from "../storage/values/index.js";
import type { ApiServerOptions } from "./api-server-options.js";
import type { Closers } from "./closers.js";
import { openStorageEncryption } from "./open-encryption.js";
import { resolveGiven } from "./server-parts.js";

/** The store of the server, and the resources that are served from it. */
export interface OpenStorage {
  readonly store: Store;
  readonly storages: ResourceStorages;
  readonly liveRegistry: LiveRegistry;
  /** Checks of the services that hold keys. */
  readonly encryptionChecks: readonly HealthCheck[];
}

/** The parts of the server that storage needs. */
export interface StorageParts {
  readonly directory: string;
  readonly log: ServerLog;
  readonly metrics: MetricsRegistry;
  readonly closers: Closers;
}

const defaultCompactionIntervalMs = 300_000;

/** Opens the store, the feed of its changes, and the resources of the groups. */
export async function openStorage(options: ApiServerOptions, parts: StorageParts): Promise<OpenStorage> {
  const { directory, log, closers } = parts;
  const { keyPrefix = "/registry/", compactionIntervalMs: intervalMs = defaultCompactionIntervalMs } = options;
  const onTrouble = (error: unknown): void => log.storeTrouble(error);
  const definitions = options.groups.flatMap(({ resources }) => resources);
  const { features = defaultFeatureGates() } = options;
  const opened = await openStore(options, directory, log, closers);
  const encryption =
    options.encryption === undefined
      ? undefined
      : closers.use(
          await openStorageEncryption(options.encryption, {
            ...parts,
            keyPrefix,
            features,
            served: definitions,
            onReadable: () => feed.readDamagedAnew(),
          }),
        );
  // Without encryption, too, what has been encrypted is never taken for an object.
  const store = transformedStore(opened, chainTransformers([encryption ?? identity]));
  const feed: StoreFeed = closers.use(new StoreFeed({ store, prefix: keyPrefix, onTrouble }));
  const storages = new ResourceStorages({ store, feed, keyPrefix });
  const transactions = await resolveGiven(options.transactions, { store, log });
  const resources = openResources(definitions, { storages, ...(transactions === undefined ? {} : { transactions }) });
  if (intervalMs > 0) {
    closers.use(startCompactor({ store, intervalMs, onError: onTrouble }));
  }
  const liveRegistry = new LiveRegistry(new ResourceRegistry(resources));
  return { store, storages, liveRegistry, encryptionChecks: encryption?.healthChecks ?? [] };
}

/** Opens the store, unless one that is open is handed in, whose owner closes it. */
async function openStore(
  { store: given }: ApiServerOptions,
  directory: string,
  log: ServerLog,
  closers: Closers,
): Promise<Store> {
  if (given !== undefined && typeof given !== "function") {
    return given;
  }
  const onSweepError = (error: unknown): void => log.expiryFailed(error);
  return closers.use(
    given === undefined
      ? await openLmdbStore({ directory: join(directory, "data"), observer: log, onSweepError })
      : await given({ log }),
  );
}
