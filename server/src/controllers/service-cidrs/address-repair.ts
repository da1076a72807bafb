import {
  type Controller,
  type ControllerOptions,
  forEachLimited,
  isLostRace,
  untilAborted,
  WorkQueue,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import { StatusError } from "@gatehouse/envelopes/status";
import { ipAddresses, type ServiceName, serviceOf } from "../../ip-addresses/ip-address-object.js";
import { followServiceCidrs } from "../../ip-addresses/service-cidrs.js";
import { services } from "../core-resources.js";
import { EventRecorder } from "../event-recorder.js";
import { repairIpAddress } from "./repair-ip-address.js";
import { type RepairContext, repairService } from "./repair-service.js";

/** The options of the repair. */
export interface AddressRepairOptions extends ControllerOptions {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves when the ServiceCIDR exists that every cluster has, or nobody makes it. */
  readonly whenCidrsExist: Promise<void>;
  /** Called when the addresses of all Services that there were at the start have IPAddresses. */
  readonly onRepaired: () => void;
  /** Interval in milliseconds between looks at everything. Default: three minutes, as in v1.29. */
  readonly intervalMs?: number;
}

const name = "ipallocator-repair-controller";

const defaultIntervalMs = 3 * 60_000;

/** Number of Services or IPAddresses that are looked at at a time, as in v1.29. */
const atATime = 5;

/** Number of tries after the first one at what fails, until it changes or everything is looked at again; as in v1.29. */
const maxRetries = 15;

/** The bounds of the wait before them, as in v1.29. */
const backoff = { firstMs: 5, maxMs: 1_000_000 };

/** Time in milliseconds before another look at everything, if the last one failed. */
const afterFailureMs = 1000;

/** The key of all Services and IPAddresses; the others are `service/NAMESPACE/NAME` and `address/NAME`. */
const everything = "";

/** Attempts at a Service in the first look, when another one with the same address is repaired at the same time. */
const maxAttempts = 5;

/**
 * Keeps IPAddresses and the addresses of Services in agreement: each address has an IPAddress that refers to its Service, and
 * none is left over. Services from before there were IPAddresses get theirs. Events report what is wrong.
 */
export function addressRepair(options: AddressRepairOptions): Controller {
  return {
    name,
    async run(signal) {
      const { client, now, onError } = options;
      await Promise.race([options.whenCidrsExist, untilAborted(signal)]);
      if (signal.aborted) {
        return;
      }
      let onChange = (): void => {};
      const serviceCidrs = await followServiceCidrs(client, { signal, onError, onChange: () => onChange() });
      const recorder = new EventRecorder({ client, controller: name, now, onError });
      const context: RepairContext = { client, serviceCidrs, now, recorder };
      await repairServices(context, onError);
      options.onRepaired();
      const queue = new WorkQueue({
        ...options,
        signal,
        concurrency: atATime,
        backoff,
        maxRetries,
        work: (key) => (key === everything ? addEverything() : work(context, key)),
      });
      const addEverything = async (): Promise<WorkResult> => {
        try {
          for (const object of await client.list(services, "")) {
            queue.add(keyOfService(object));
          }
          for (const object of await client.list(ipAddresses, "")) {
            queue.add(keyOfAddress(object.name));
          }
          return { afterMs: options.intervalMs ?? defaultIntervalMs };
        } catch (error) {
          onError(error); // Never given up.
          return { afterMs: afterFailureMs };
        }
      };
      onChange = () => queue.add(everything);
      await observe(options, queue, signal);
      queue.add(everything);
      await untilAborted(signal);
      await queue.idle();
    },
  };
}

async function observe(
  { client, onError }: AddressRepairOptions,
  queue: WorkQueue,
  signal: AbortSignal,
): Promise<void> {
  // What is there is looked at when everything is.
  const common = { onList() {}, onMissed: () => queue.add(everything), onError };
  await client.observe(
    services,
    {
      ...common,
      onEvent(event) {
        if (event.type !== "DELETED") {
          queue.add(keyOfService(event));
        }
      },
    },
    signal,
  );
  await client.observe(
    ipAddresses,
    {
      ...common,
      onEvent(event) {
        queue.add(keyOfAddress(event.name));
        const service = serviceOf(event.entry.object());
        if (service !== undefined) {
          queue.add(keyOfService(service));
        }
      },
    },
    signal,
  );
}

function keyOfService({ namespace, name: service }: ServiceName): string {
  return `service/${namespace}/${service}`;
}

function keyOfAddress(address: string): string {
  return `address/${address}`;
}

async function work(context: RepairContext, key: string): Promise<WorkResult> {
  const [what, first = "", second = ""] = key.split("/", 3);
  if (what === "address") {
    return repairIpAddress(context, first);
  }
  const service = context.client.cached(services, first, second);
  if (service !== undefined) {
    await repairService(context, service.object());
  }
  return undefined;
}

/**
 * Repairs the addresses of all Services. That an IPAddress is not admitted is reported and keeps no other Service from its
 * addresses; rejects when the store does not work.
 */
async function repairServices(context: RepairContext, onError: (error: unknown) => void): Promise<void> {
  const all = await context.client.list(services, "");
  const errors = await forEachLimited(all, atATime, async ({ entry }) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await repairService(context, entry.object());
      } catch (error) {
        if (!isLostRace(error) || attempt === maxAttempts) {
          throw error;
        }
        await context.client.catchUp();
      }
    }
  });
  for (const error of errors) {
    if (!(error instanceof StatusError) || error.code >= 500) {
      throw error;
    }
    onError(error);
  }
}
