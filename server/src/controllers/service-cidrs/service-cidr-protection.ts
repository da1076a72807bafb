import {
  type Controller,
  type ControllerOptions,
  ignoreNotFound,
  type ObservedObject,
  untilAborted,
  WorkQueue,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { parseIp } from "@gatehouse/apiserver/options";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { holdsHost, isWithin } from "../../ip-addresses/host-range.js";
import { ipAddresses, isOfAllocator } from "../../ip-addresses/ip-address-object.js";
import { followServiceCidrs, rangesOf, type ServiceCidrs, serviceCidrs } from "../../ip-addresses/service-cidrs.js";
import { applyReadyCondition, type ReadyVerdict } from "./ready-condition.js";

/** The options of the controller. */
export interface ServiceCidrProtectionOptions extends ControllerOptions {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

const finalizer = "networking.k8s.io/service-cidr-finalizer";

/** The manager of the condition, as in v1.29. */
const manager = "service-cidr-controller";

/** Milliseconds after a deletion until all servers know of it, and allocate no more addresses (as in v1.29). */
const graceMs = 10_000;

const serviceCidrsAtATime = 5;

const ready: ReadyVerdict = { status: "True", message: "Kubernetes Service CIDR is ready" };
const inUse: ReadyVerdict = {
  status: "False",
  reason: "Terminating",
  message: "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR",
};

/** Marks ServiceCIDRs as ready, and lets those that are being deleted go when Services have none of their addresses. */
export function serviceCidrProtection(options: ServiceCidrProtectionOptions): Controller {
  return {
    name: manager,
    async run(signal) {
      let known: ServiceCidrs | undefined;
      const queue = new WorkQueue({
        ...options,
        signal,
        concurrency: serviceCidrsAtATime,
        work: async (name) => (known === undefined ? "retry" : look(options, known, name)),
      });
      // Each of them matters to those that overlap, and there are few.
      const addAll = (): void => known?.all().forEach(({ name }) => void queue.add(name));
      known = await followServiceCidrs(options.client, { signal, onChange: addAll, onError: options.onError });
      addAll();
      await options.client.observe(
        ipAddresses,
        {
          onList() {},
          onEvent(event) {
            if (event.type !== "MODIFIED") {
              for (const name of holdersOf(known, event)) {
                queue.add(name);
              }
            }
          },
          onMissed: addAll,
          onError: options.onError,
        },
        signal,
      );
      await untilAborted(signal);
      await queue.idle();
    },
  };
}

/** Returns the names of the ServiceCIDRs with an address of a Service. */
function holdersOf(known: ServiceCidrs | undefined, { name, entry }: ObservedObject): readonly string[] {
  const address = isOfAllocator(entry.labels()) ? parseIp(name) : undefined;
  return address === undefined
    ? []
    : (known?.all() ?? [])
        .filter(({ ranges }) => ranges.some((range) => holdsHost(range, address)))
        .map((serviceCidr) => serviceCidr.name);
}

async function look(options: ServiceCidrProtectionOptions, known: ServiceCidrs, name: string): Promise<WorkResult> {
  const { client, now } = options;
  const serviceCidr = await client.get(serviceCidrs, "", name);
  if (serviceCidr === undefined) {
    return undefined;
  }
  const { deletionTimestamp } = metaOf(serviceCidr);
  if (deletionTimestamp === undefined) {
    await keepFinalizer(options, name);
    await applyReadyCondition(client, serviceCidr, ready, { manager, now });
    return undefined;
  }
  if (await isNeeded(options, known, serviceCidr)) {
    await applyReadyCondition(client, serviceCidr, inUse, { manager, now });
    return undefined;
  }
  const restMs = Date.parse(deletionTimestamp) + graceMs - now();
  if (restMs > 0) {
    return { afterMs: restMs };
  }
  await dropFinalizer(options, name);
  return undefined;
}

/** Reports whether a Service has an address that no other ServiceCIDR has. */
async function isNeeded(
  { client }: ServiceCidrProtectionOptions,
  known: ServiceCidrs,
  serviceCidr: JsonObject,
): Promise<boolean> {
  const addresses = (await client.list(ipAddresses, "")).filter(({ entry }) => isOfAllocator(entry.labels()));
  const { name } = metaOf(serviceCidr);
  const own = rangesOf(serviceCidr);
  const others = known
    .all()
    .filter((other) => other.name !== name)
    .flatMap(({ ranges }) => ranges);
  if (own.every((range) => others.some((other) => isWithin(range, other)))) {
    return false;
  }
  return addresses
    .map((object) => parseIp(object.name))
    .some(
      (address) =>
        address !== undefined &&
        own.some((range) => holdsHost(range, address)) &&
        !others.some((range) => holdsHost(range, address)),
    );
}

async function keepFinalizer({ client }: ServiceCidrProtectionOptions, name: string): Promise<void> {
  await client
    .update(serviceCidrs, { namespace: "", name }, (current) => {
      const meta = metaOf(current);
      if (meta.deletionTimestamp !== undefined || meta.finalizers?.includes(finalizer) === true) {
        return undefined;
      }
      meta.finalizers = [...(meta.finalizers ?? []), finalizer];
      return current;
    })
    .catch(ignoreNotFound);
}

async function dropFinalizer({ client }: ServiceCidrProtectionOptions, name: string): Promise<void> {
  await client
    .update(serviceCidrs, { namespace: "", name }, (current) => {
      const meta = metaOf(current);
      if (meta.deletionTimestamp === undefined || meta.finalizers?.includes(finalizer) !== true) {
        return undefined;
      }
      meta.finalizers = meta.finalizers.filter((other) => other !== finalizer);
      return current;
    })
    .catch(ignoreNotFound);
}
