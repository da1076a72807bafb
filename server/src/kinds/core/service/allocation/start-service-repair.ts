import { ipv4Text, type NumberRange } from "@gatehouse/apiserver/options";
import type { ResourceStorage } from "@gatehouse/apiserver/registry";
import { type Store, statusOfStoreError } from "@gatehouse/apiserver/storage";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { heldAddresses, heldNodePorts } from "./held-numbers.js";
import { type RepairNotice, rangeRepair } from "./range-repair.js";
import { rangeKeys } from "./service-allocation.js";

/** The ranges to repair, their services, and the callbacks. */
export interface ServiceRepairOptions {
  readonly store: Store;
  /** The prefix of keys in the store; ends with a slash. */
  readonly keyPrefix: string;
  readonly addresses: NumberRange;
  readonly nodePorts: NumberRange;
  /** The storage of services. */
  readonly services: ResourceStorage;
  /** The signal that ends the repair. */
  readonly signal: AbortSignal;
  readonly onNotice: (notice: RepairNotice) => void;
  /** Called with the error when a run has failed; the next run follows all the same. */
  readonly onError: (error: unknown) => void;
  /** Interval in milliseconds between runs. Default: three minutes, as in v1.29. */
  readonly intervalMs?: number;
}

/** Interval in milliseconds between runs, as in v1.29. */
const defaultIntervalMs = 3 * 60_000;

/** Interval in milliseconds between attempts of the first run: until it has succeeded, no service can be created. */
const firstRunRetryMs = 5000;

/**
 * Repairs the ranges of addresses and node ports, now and periodically. Resolves after the first run: nothing can be
 * allocated before. Rejects when that run fails, unless the store is the reason (a full disk, damage): then the server
 * serves what it can, and the run is retried.
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
  const report = (error: unknown): void => {
    if (!signal.aborted) {
      onError(error);
    }
  };
  let isFirst = true;
  const turn = async (): Promise<void> => {
    try {
      await run();
      isFirst = false;
    } catch (error) {
      if (isFirst && statusOfStoreError(error) === undefined) {
        throw error;
      }
      report(error);
    }
    if (!signal.aborted) {
      const waitMs = isFirst ? firstRunRetryMs : (options.intervalMs ?? defaultIntervalMs);
      timer = setTimeout(() => void turn().catch(report), waitMs).unref();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  await turn();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
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
