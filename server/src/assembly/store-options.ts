import { StoreUnusableError } from "@gatehouse/apiserver/errors";
import type { ServerLog } from "@gatehouse/apiserver/logs";
import type { EtcdConfig } from "@gatehouse/apiserver/options";
import type { ApiServerOptions, StoreParts } from "@gatehouse/apiserver/server";
import type { Store } from "@gatehouse/apiserver/storage";
import type { EtcdMetrics, EtcdTransport } from "@gatehouse/apiserver/storage/etcd";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { groupResourceText } from "@gatehouse/envelopes/status";
import type { ServerConfig } from "../options/server-config.js";
import { openCommitBell } from "../workers/commit-bell.js";
import type { WorkerGroup } from "../workers/worker-group.js";
import { apiGroups } from "./api-groups.js";
import { writeBootstrapObjects } from "./bootstrap-objects.js";

/** The options of a server that concern its store. */
type StoreOptions = Pick<ApiServerOptions, "store" | "otherStores" | "storeTimeouts" | "compactionIntervalMs">;

/** Time in milliseconds to wait for etcd at the start, as in v1.29. */
const startTimeoutMs = 20_000;

/** The surroundings of the embedded store. */
interface EmbeddedStoreParts {
  readonly workers: WorkerGroup | undefined;
  /** The clock by which keys expire; that of the machine when absent. */
  readonly now: (() => number) | undefined;
  /** Called when this process has written the objects of every cluster, before anything else is read. */
  readonly onBootstrapped?: () => void;
}

/** Returns the options for the store that is configured: the embedded one, or etcd. */
export function storeOptions(config: ServerConfig, parts: EmbeddedStoreParts): StoreOptions {
  const { etcd } = config;
  return etcd === undefined ? embeddedStore(config, parts) : etcdStores(config, etcd);
}

function embeddedStore(config: ServerConfig, parts: EmbeddedStoreParts): StoreOptions {
  return {
    store: ({ log }) => openEmbeddedStore(config, log, parts),
    compactionIntervalMs: config.compactionIntervalMs,
  };
}

/** Opens the embedded store; a new one gets the objects of every cluster. Workers tell each other of their commits. */
async function openEmbeddedStore(
  config: ServerConfig,
  log: ServerLog,
  { workers, now = Date.now, onBootstrapped = () => {} }: EmbeddedStoreParts,
): Promise<Store> {
  const { dataDirectory: directory, unsafeNoFsync } = config;
  let store: Store | undefined;
  // Asked for the revision, the store wakes the watches that are behind it. It may fail, as it does for those who read.
  const look = async (): Promise<unknown> => store?.currentRevision();
  const ring = workers && openCommitBell(workers, () => void look().catch(() => {}));
  store = await openLmdbStore({
    directory,
    unsafeNoFsync,
    now,
    observer: log,
    onSweepError: (error) => log.expiryFailed(error),
    ...(ring === undefined ? {} : { onCommit: ring }),
  });
  if (await writeBootstrapObjects(store, { settings: config, now })) {
    onBootstrapped();
  }
  return store;
}

function etcdStores(config: ServerConfig, etcd: EtcdConfig): StoreOptions {
  const locations = resourceLocations(config);
  let metrics: EtcdMetrics | undefined;
  // Loaded for servers on etcd alone: a server with the embedded store starts without.
  const open = async (transport: EtcdTransport, { log, metrics: registry }: StoreParts): Promise<Store> => {
    const { EtcdMetrics, openEtcdStore } = await import("@gatehouse/apiserver/storage/etcd");
    metrics ??= new EtcdMetrics(registry, (key) => typeOfKey(key, config.keyPrefix, locations.byPrefix));
    const store = await openEtcdStore({
      transport,
      compactionIntervalMs: config.compactionIntervalMs,
      leaseReuseSeconds: etcd.leaseReuseSeconds,
      sizePollIntervalMs: etcd.sizePollIntervalMs,
      healthKey: `${config.keyPrefix}health`,
      metrics,
      observer: log,
      onTrouble: (error) => log.storeTrouble(error),
    });
    await usable(store, transport, config.keyPrefix);
    return store;
  };
  return {
    store: (parts) => open(etcd.transport, parts),
    otherStores: async (parts) => {
      const stores = new Map<string, Store>();
      for (const { group, resource, servers } of etcd.overrides) {
        const name = groupResourceText({ group, resource });
        stores.set(locations.prefixOf(name), await open({ ...etcd.transport, servers }, parts));
      }
      return stores;
    },
    storeTimeouts: { healthMs: etcd.healthTimeoutMs, readinessMs: etcd.readinessTimeoutMs },
    // The store compacts by itself, in turn with other servers on the same etcd.
    compactionIntervalMs: 0,
  };
}

/**
 * Waits until etcd answers. Closes the store and throws StoreUnusableError, which ends the start with a sentence, when it
 * does not, or when it holds a part of a backup only.
 */
async function usable(store: Store, { servers }: EtcdTransport, keyPrefix: string): Promise<void> {
  const place = servers.join(", ");
  try {
    await store.ping(startTimeoutMs).catch((cause: unknown) => {
      throw new StoreUnusableError(`etcd does not answer at ${place}`, { cause });
    });
    const { hasUnfinishedRestore } = await import("@gatehouse/apiserver/storage/backup");
    if (await hasUnfinishedRestore(store, keyPrefix)) {
      const advice = "run `gatehouse restore` again with the same backup";
      throw new StoreUnusableError(`a restore into ${keyPrefix} of etcd at ${place} has not ended; ${advice}`);
    }
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** The places of the built-in resources. */
interface ResourceLocations {
  /** Names (`deployments.apps`) by the prefix of their keys: of two groups that share one, the first in discovery. */
  readonly byPrefix: ReadonlyMap<string, string>;
  /** Returns the prefix of the keys of a resource. Throws ConfigurationError if it is not stored here. */
  prefixOf(name: string): string;
}

function resourceLocations(config: ServerConfig): ResourceLocations {
  const byPrefix = new Map<string, string>();
  const byName = new Map<string, string>();
  for (const definition of apiGroups(config).flatMap(({ resources }) => resources)) {
    if (definition.storage !== undefined) {
      const { prefix } = definition.storage;
      const name = groupResourceText(definition);
      byName.set(name, prefix);
      byPrefix.set(prefix, byPrefix.get(prefix) ?? name);
    }
  }
  return {
    byPrefix,
    prefixOf(name) {
      const prefix = byName.get(name);
      if (prefix === undefined) {
        const problem = problemAt("--etcd-servers-overrides", `there is no stored resource ${JSON.stringify(name)}`);
        throw new ConfigurationError("flags", [problem]);
      }
      return prefix;
    },
  };
}

/** Returns the resource of a key for metrics: `deployments.apps`, or of a custom resource its name and group. */
function typeOfKey(key: string, keyPrefix: string, byPrefix: ReadonlyMap<string, string>): string {
  const from = keyPrefix.length;
  const first = key.indexOf("/", from);
  const one = first < 0 ? key.slice(from) : key.slice(from, first);
  const known = byPrefix.get(one);
  if (known !== undefined || first < 0) {
    return known ?? one;
  }
  const second = key.indexOf("/", first + 1);
  const two = second < 0 ? key.slice(from) : key.slice(from, second);
  return byPrefix.get(two) ?? (one.includes(".") ? `${two.slice(one.length + 1)}.${one}` : one);
}
