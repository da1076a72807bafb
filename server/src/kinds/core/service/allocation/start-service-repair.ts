import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStorage } from "../../../../catalogue/resource-storage.js";
import { ipv4Text } from "../../../../config/ip-address.js";
import type { NumberRange } from "../../../../config/number-range.js";
import type { Store } from "../../../../storage/store.js";
import { heldAddresses, heldNodePorts } from "./held-numbers.js";
import { type RepairNotice, rangeRepair } from "./range-repair.js";
import { rangeKeys } from "./service-allocation.js";

export interface ServiceRepairOptions {
  readonly store: Store;
  /** Ends with a slash. */
  readonly keyPrefix: string;
  readonly addresses: NumberRange;
  readonly nodePorts: NumberRange;
  /** Where services are stored. */
  readonly services: ResourceStorage;
  /** Ends the repair. */
  readonly signal: AbortSignal;
  readonly onNotice: (notice: RepairNotice) => void;
  /** Told when a run has failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number;
}

/** As often as v1.29. */
const defaultIntervalMs = 3 * 60_000;

/**
 * Brings the ranges of addresses and node ports in line with the services, now and from time to time. Resolves after the
 * first time: nothing can be allocated before. Rejects when that fails.
 */
export async function startServiceRepair(options: ServiceRepairOptions): Promise<Disposable> {
  const { store, signal, onNotice, onError } = options;
  const keys = rangeKeys(options.keyPrefix);
  const services = (): Promise<Iterable<JsonObject>> => currentServices(options.services, signal);
  const common = { store, services, onNotice };
  const repairs = [
    rangeRepair({ ...common, key: keys.addresses, range: options.addresses, heldBy: heldAddresses, show: ipv4Text }),
    rangeRepair({ ...common, key: keys.nodePorts, range: options.nodePorts, heldBy: heldNodePorts, show: String }),
  ];
  const run = async (): Promise<void> => {
    for (const repair of repairs) {
      await repair();
    }
  };
  await run();
  const report = (error: unknown): void => {
    if (!signal.aborted) {
      onError(error);
    }
  };
  const timer = setInterval(() => void run().catch(report), options.intervalMs ?? defaultIntervalMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function currentServices(storage: ResourceStorage, signal: AbortSignal): Promise<Iterable<JsonObject>> {
  await storage.catchUp({ signal });
  const entries = storage.cache.snapshot().entries(storage.prefix);
  return (function* () {
    for (const entry of entries) {
      yield entry.object();
    }
  })();
}
