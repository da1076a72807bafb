import { join } from "node:path";
import type { Defaulting } from "@gatehouse/envelopes/defaults";
import { groupResourceText } from "@gatehouse/envelopes/status";
import { defaultFeatureGates } from "../options/feature-gates.js";
import { LiveRegistry } from "../registry/live-registry.js";
import { openResources } from "../registry/open-resources.js";
import type { ResourceDefinition } from "../registry/resource-definition.js";
import { ResourceRegistry } from "../registry/resource-registry.js";
import { ResourceStorages } from "../registry/resource-storages.js";
import { storageMetrics } from "../storage/cache/storage-metrics.js";
import { StoreFeed } from "../storage/cache/store-feed.js";
import { startCompactor } from "../storage/compactor.js";
import type { Encryption } from "../storage/encryption/index.js";
import { openLmdbStore } from "../storage/lmdb/lmdb-store.js";
import type { Store } from "../storage/store.js";
import type { StoreObserver } from "../storage/store-condition.js";
import { chainTransformers, identity, transformedStore } from "../storage/values/index.js";
import type { ApiServerOptions, StoreParts } from "./api-server-options.js";
import type { Closers } from "./closers.js";
import type { EncryptionSurroundings } from "./open-encryption.js";
import { openValueFormats } from "./open-value-formats.js";
import { resolveGiven } from "./server-parts.js";

/** The store of the server, and the resources that are served from it. */
export interface OpenStorage {
  readonly store: Store;
  readonly storages: ResourceStorages;
  readonly liveRegistry: LiveRegistry;
  /** Checks of the services that hold keys, and of the following of their configuration. */
  readonly encryptionChecks: Pick<Encryption, "healthChecks" | "startupChecks">;
}

/** The parts that storage is opened with. */
export interface OpenStorageParts extends StoreParts {
  /** The folder of the embedded store. */
  readonly directory: string;
  readonly closers: Closers;
  readonly defaulting: Defaulting;
}

const defaultCompactionIntervalMs = 300_000;

/** Opens the store, the feed of its changes, and the resources of the groups. */
export async function openStorage(options: ApiServerOptions, parts: OpenStorageParts): Promise<OpenStorage> {
  const { log, closers } = parts;
  const { keyPrefix = "/registry/", compactionIntervalMs: intervalMs = defaultCompactionIntervalMs } = options;
  const { features = defaultFeatureGates() } = options;
  const onTrouble = (error: unknown): void => log.storeTrouble(error);
  const definitions = options.groups.flatMap(({ resources }) => resources);
  const formats = openValueFormats(options, { keyPrefix, defaulting: parts.defaulting });
  const feeds: StoreFeed[] = [];
  const onReadable = (): void => {
    for (const feed of feeds) {
      feed.readDamagedAnew();
    }
  };
  const surroundings = { ...parts, keyPrefix, features, served: definitions, onReadable };
  const encryption = await openEncryption(options, surroundings, closers);
  // Without encryption, too, what has been encrypted is never taken for an object.
  const transformer = chainTransformers([formats.table, encryption ?? identity]);
  const storageMeasures = storageMetrics(parts.metrics);
  const resourceOf = resourceOfKeys(definitions, keyPrefix);
  const observer = {
    storeDamaged(error: Parameters<StoreObserver["storeDamaged"]>[0]): void {
      storageMeasures.decodeError(resourceOf(error.key ?? ""));
      log.storeDamaged(error);
    },
  };
  const atRest = (store: Store): Store => transformedStore(store, transformer, observer);
  const feedOf = (store: Store): StoreFeed => {
    const feed = closers.use(new StoreFeed({ store, prefix: keyPrefix, onTrouble }));
    feeds.push(feed);
    return feed;
  };
  const store = atRest(await openStore(options, parts));
  const others = [...((await options.otherStores?.(parts)) ?? [])].map(([prefix, opened]) => {
    const other = atRest(closers.use(opened));
    return [prefix, { store: other, feed: feedOf(other) }] as const;
  });
  const storages = new ResourceStorages({
    store,
    feed: feedOf(store),
    keyPrefix,
    others: new Map(others),
    formats,
    watchCaches: options.watchCaches,
    metrics: storageMeasures,
  });
  const transactions = await resolveGiven(options.transactions, { store, log, metrics: parts.metrics });
  const resources = openResources(definitions, { storages, ...(transactions === undefined ? {} : { transactions }) });
  if (intervalMs > 0) {
    closers.use(startCompactor({ store, intervalMs, onError: onTrouble }));
  }
  const liveRegistry = new LiveRegistry(new ResourceRegistry(resources));
  return { store, storages, liveRegistry, encryptionChecks: encryption ?? { healthChecks: [], startupChecks: [] } };
}

/** Returns a function that tells the resource of a key: `deployments.apps`, or its prefix for a custom one. */
function resourceOfKeys(definitions: readonly ResourceDefinition[], keyPrefix: string): (key: string) => string {
  const known = new Map<string, string>();
  for (const definition of definitions) {
    if (definition.storage !== undefined && !known.has(definition.storage.prefix)) {
      known.set(definition.storage.prefix, groupResourceText(definition));
    }
  }
  return (key) => {
    const [first = "", second = ""] = key.slice(keyPrefix.length).split("/", 2);
    return known.get(first) ?? known.get(`${first}/${second}`) ?? (first.includes(".") ? `${second}.${first}` : first);
  };
}

/** Opens the encryption that is configured. Its ciphers are loaded for servers that have one alone. */
async function openEncryption(
  { encryption }: ApiServerOptions,
  surroundings: EncryptionSurroundings,
  closers: Closers,
): Promise<Encryption | undefined> {
  if (encryption === undefined) {
    return undefined;
  }
  const { openStorageEncryption } = await import("./open-encryption.js");
  return closers.use(await openStorageEncryption(encryption, surroundings));
}

/** Opens the store, unless one that is open is handed in, whose owner closes it. */
async function openStore(
  { store: given }: ApiServerOptions,
  { directory, log, metrics, closers }: OpenStorageParts,
): Promise<Store> {
  if (given !== undefined && typeof given !== "function") {
    return given;
  }
  const onSweepError = (error: unknown): void => log.expiryFailed(error);
  return closers.use(
    given === undefined
      ? await openLmdbStore({ directory: join(directory, "data"), observer: log, onSweepError })
      : await given({ log, metrics }),
  );
}
