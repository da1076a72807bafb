import type { EtcdApi } from "./api/etcd-api.js";
import type { Endpoint } from "./endpoint.js";
import type { EtcdClient } from "./etcd-client.js";
import type { EtcdMetrics } from "./etcd-metrics.js";

const timeoutMs = 5000;

/** Asks each server for the size of its database now and at intervals, for the metrics. A server that fails is left out. */
export function startSizePoll(client: EtcdClient, metrics: EtcdMetrics, intervalMs: number): Disposable {
  const cluster = metrics.nameCluster();
  const poll = (): void => {
    for (const endpoint of client.endpoints) {
      sizeOf(endpoint, client.api).then(
        (bytes) => metrics.databaseSize(cluster, endpoint.address.url, bytes),
        () => {},
      );
    }
  };
  poll();
  const timer = setInterval(poll, intervalMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function sizeOf(endpoint: Endpoint, api: EtcdApi): Promise<number> {
  await endpoint.waitForReady(timeoutMs);
  const { dbSize } = await endpoint.call(api.maintenance.Status, {}, { deadlineMs: timeoutMs });
  return dbSize;
}
