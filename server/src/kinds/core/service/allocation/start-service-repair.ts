import {
  type AddressRange,
  addressText,
  ipFamilyOf,
  type NumberRange,
  numberOfAddress,
} from "@gatehouse/apiserver/options";
import type { ResourceStorage } from "@gatehouse/apiserver/registry";
import { type Store, statusOfStoreError } from "@gatehouse/apiserver/storage";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { heldAddresses, heldNodePorts } from "./held-numbers.js";
import { rangeKeys } from "./range-keys.js";
import { type RepairNotice, rangeRepair } from "./range-repair.js";

/** The ranges to repair, their services, and the callbacks. */
export interface ServiceRepairOptions {
  readonly store: Store;
  /** The prefix of keys in the store; ends with a slash. */
  readonly keyPrefix: string;
  /** The ranges whose addresses are kept in RangeAllocations: the primary one first. */
  readonly addresses: readonly AddressRange[];
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
  const families = new Set<unknown>(options.addresses.map(({ family }) => family));
  const repairs = [
    ...options.addresses.map((range, index) =>
      rangeRepair({
        ...common,
        ...{ key: index === 0 ? keys.addresses : keys.secondaryAddresses, range },
        heldBy: (service) =>
          heldAddresses(service).filter((address) => {
            const family = ipFamilyOf(address);
            // The primary range tells of addresses of families that the cluster no longer has.
            return family === range.family || (index === 0 && !families.has(family));
          }),
        numberOf: (address) => numberOfAddress(range, address),
        show: (number) => addressText(range, number),
      }),
    ),
    rangeRepair({
      ...{ ...common, key: keys.nodePorts, range: options.nodePorts },
      ...{ heldBy: (service) => heldNodePorts(service).map(String), numberOf: Number, show: String },
    }),
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
