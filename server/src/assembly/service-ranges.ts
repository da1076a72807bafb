import type { WriteTransactions } from "@gatehouse/apiserver/registry";
import type { ServerParts } from "@gatehouse/apiserver/server";
import { serviceAllocationMetrics } from "../kinds/core/service/allocation/allocator-metrics.js";
import { serviceAllocation } from "../kinds/core/service/allocation/service-allocation.js";
import { startServiceRepair } from "../kinds/core/service/allocation/start-service-repair.js";
import type { ServerConfig } from "../options/server-config.js";
import type { AddressObjectsPart } from "./address-objects-part.js";

/** Returns the transactions by which writes of services allocate addresses and node ports. */
export function serviceTransactions(
  config: ServerConfig,
  { store, log, metrics }: Pick<ServerParts, "store" | "log" | "metrics">,
  addressObjects: AddressObjectsPart | undefined,
): WriteTransactions {
  const reportFault = (error: unknown): void => log.fault(error);
  const measured = { store, reportFault, metrics: serviceAllocationMetrics(metrics) };
  const addressPool = addressObjects?.pool;
  return serviceAllocation({ ...ranges(config), ...measured, addressPool });
}

/**
 * Makes and repairs the ranges of addresses and node ports, now and from time to time. A controller repairs addresses that
 * are kept as objects.
 */
export async function openServiceRanges(
  config: ServerConfig,
  server: ServerParts,
  addressObjects: AddressObjectsPart | undefined,
): Promise<() => boolean> {
  const { log, store, signal, closers } = server;
  const served = server.liveRegistry.current.findAnyVersion("", "services");
  let isRepaired = served === undefined;
  if (served !== undefined) {
    closers.use(
      await startServiceRepair({
        ...ranges(config),
        ...(addressObjects && { addresses: [] }),
        store,
        signal,
        services: served.storage,
        onNotice: (notice) => log.rangeNotice(notice),
        onError: (error) => log.rangeRepairFailed(error),
      }),
    );
    isRepaired = true;
  }
  return () => isRepaired;
}

function ranges({ keyPrefix, serviceRanges: addresses, nodePortRange: nodePorts }: ServerConfig) {
  return { keyPrefix, addresses, nodePorts };
}
