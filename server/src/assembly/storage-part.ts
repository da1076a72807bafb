import type { ServerLog } from "@gatehouse/apiserver/logs";
import {
  LiveRegistry,
  openResources,
  ResourceRegistry,
  ResourceStorages,
  selectDefinitions,
} from "@gatehouse/apiserver/registry";
import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import { type Store, StoreFeed, startCompactor } from "@gatehouse/apiserver/storage";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { WebhookClients } from "@gatehouse/custom-resources/conversion";
import { LiveCustomResources } from "@gatehouse/custom-resources/resources";
import { builtinResources } from "../kinds/builtin-resources.js";
import { serviceAllocation } from "../kinds/core/service/allocation/service-allocation.js";
import { startServiceRepair } from "../kinds/core/service/allocation/start-service-repair.js";
import type { ServerConfig } from "../options/server-config.js";
import type { Closers } from "./closers.js";

/** The store of the server, and the resources that are served from it. */
export interface StoragePart {
  readonly store: Store;
  readonly liveRegistry: LiveRegistry;
}

/** The options of the storage. */
export interface StorageOptions {
  readonly config: ServerConfig;
  readonly log: ServerLog;
  readonly stopping: AbortSignal;
  /** Resolves the addresses of conversion webhooks behind Services. Not called before there are requests. */
  readonly serviceAddresses: ServiceAddresses;
}

/** Opens the store, the feed of its changes, and the resources that this configuration serves. */
export async function openStorage(options: StorageOptions, closers: Closers): Promise<StoragePart> {
  const { config, log, stopping, serviceAddresses } = options;
  const onTrouble = (error: unknown): void => log.storeTrouble(error);
  const onSweepError = (error: unknown): void => log.expiryFailed(error);
  const store = closers.use(await openLmdbStore({ directory: config.dataDirectory, observer: log, onSweepError }));
  const feed = closers.use(new StoreFeed({ store, prefix: config.keyPrefix, onTrouble }));
  const storages = new ResourceStorages({ store, feed, keyPrefix: config.keyPrefix });
  const ranges = {
    store,
    keyPrefix: config.keyPrefix,
    addresses: config.serviceRange,
    nodePorts: config.nodePortRange,
  };
  const services = serviceAllocation({ ...ranges, reportFault: (error) => log.fault(error) });
  const resources = openResources(selectDefinitions(builtinResources, config), {
    storages,
    transactions: new Map([["services", services]]),
  });
  const registry = new ResourceRegistry(resources);
  const liveRegistry = new LiveRegistry(registry);
  // Nothing can be allocated before the repair has run for the first time: it makes the ranges.
  const served = registry.findAnyVersion("", "services");
  if (served !== undefined) {
    closers.use(
      await startServiceRepair({
        ...ranges,
        signal: stopping,
        services: served.storage,
        onNotice: (notice) => log.rangeNotice(notice),
        onError: (error) => log.rangeRepairFailed(error),
      }),
    );
  }
  if (config.compactionIntervalMs > 0) {
    closers.use(startCompactor({ store, intervalMs: config.compactionIntervalMs, onError: onTrouble }));
  }
  // Whoever asks for a custom resource after a restart finds it.
  const webhooks = closers.use(new WebhookClients(serviceAddresses));
  await new LiveCustomResources({ liveRegistry, storages, webhooks, onError: (error) => log.fault(error) }).follow(
    stopping,
  );
  return { store, liveRegistry };
}
