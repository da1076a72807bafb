import { StoreUnusableError } from "../errors/errors.js";
import type { EtcdConfig } from "../options/etcd.js";
import type { ApiServerOptions } from "../server/api-server-options.js";

/** The time in milliseconds to wait for etcd at the start, as in v1.29. */
const startTimeoutMs = 20_000;

/** Returns the options of a server whose objects are in etcd. Its code is loaded for such servers alone. */
export function etcdStore(
  etcd: EtcdConfig,
  keyPrefix: string,
  compactionIntervalMs: number,
): Pick<ApiServerOptions, "store" | "storeTimeouts" | "compactionIntervalMs"> {
  return {
    async store({ log, metrics }) {
      const { EtcdMetrics, openEtcdStore } = await import("../storage/etcd/index.js");
      const store = await openEtcdStore({
        transport: etcd.transport,
        compactionIntervalMs,
        leaseReuseSeconds: etcd.leaseReuseSeconds,
        sizePollIntervalMs: etcd.sizePollIntervalMs,
        healthKey: `${keyPrefix}health`,
        metrics: new EtcdMetrics(metrics, (key) => typeOfKey(key, keyPrefix)),
        observer: log,
        onTrouble: (error) => log.storeTrouble(error),
      });
      try {
        await store.ping(startTimeoutMs);
      } catch (cause) {
        await store[Symbol.asyncDispose]();
        throw new StoreUnusableError(`etcd does not answer at ${etcd.transport.servers.join(", ")}`, { cause });
      }
      return store;
    },
    storeTimeouts: { healthMs: etcd.healthTimeoutMs, readinessMs: etcd.readinessTimeoutMs },
    // The store compacts by itself, in turn with other servers on the same etcd.
    compactionIntervalMs: 0,
  };
}

/** Returns the resource of a key, GROUP/RESOURCE/..., for metrics. */
function typeOfKey(key: string, keyPrefix: string): string {
  const [group = "", resource = ""] = key.slice(keyPrefix.length).split("/", 2);
  return group.includes(".") ? `${resource}.${group}` : group;
}
