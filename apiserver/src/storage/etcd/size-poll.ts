import type { EtcdClient } from "./etcd-client.js";
import type { EtcdMetrics } from "./etcd-metrics.js";

const timeoutMs = 5000;

/** Asks each server for the size of its database now and at intervals, for the metrics. A server that fails is left out. */
export function startSizePoll(client: EtcdClient, metrics: EtcdMetrics, intervalMs: number): Disposable {
  const poll = (): void => {
    for (const [index, endpoint] of client.endpoints.entries()) {
      endpoint.call(client.api.maintenance.Status, {}, { deadlineMs: timeoutMs }).then(
        ({ dbSize }) => metrics.databaseSize(index, endpoint.address.url, dbSize),
        () => {},
      );
    }
  };
  poll();
  const timer = setInterval(poll, intervalMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
