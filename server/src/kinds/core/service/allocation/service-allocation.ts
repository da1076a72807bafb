import { metaOf } from "@gatehouse/apiserver/objects";
import { ipv4Text, type NumberRange, networkAddress } from "@gatehouse/apiserver/options";
import { emptyTransaction, type WriteTransaction, type WriteTransactions } from "@gatehouse/apiserver/registry";
import type { Store } from "@gatehouse/apiserver/storage";
import { type JsonObject, objectAt, ownObject } from "@gatehouse/envelopes/json";
import { internalError } from "@gatehouse/envelopes/status";
import {
  clusterIPsOf,
  headlessAddress,
  portsOf,
  takesClusterIP,
  takesHealthCheckNodePort,
  takesNodePorts,
} from "../service-fields.js";
import { carryAllocatedMembers, completeClusterIPs } from "./carry-allocated.js";
import { dryRunEdit } from "./dry-run-edit.js";
import { heldAddresses, heldNodePorts } from "./held-numbers.js";
import { completeIPFamilies } from "./ip-families.js";
import {
  type NodePortPlan,
  type PlanOptions,
  planChangedNodePorts,
  planNewNodePorts,
  releasedNodePorts,
  untouchedNodePorts,
} from "./node-ports.js";
import { RangeAllocator, RangeUnavailableError } from "./range-allocator.js";
import { reserveAddress } from "./reserve-address.js";

/** The ranges of services, and their place in the store. */
export interface ServiceAllocationOptions {
  readonly store: Store;
  /** The prefix of keys in the store; ends with a slash. */
  readonly keyPrefix: string;
  /** The range of addresses (`--service-cluster-ip-range`). */
  readonly addresses: NumberRange;
  /** The range of node ports (`--service-node-port-range`). */
  readonly nodePorts: NumberRange;
  /** Called with the error when numbers could not be freed; the repair finds them later. */
  readonly reportFault: (error: unknown) => void;
  /** Returns a random number from 0 up to 1. Default: Math.random. */
  readonly random?: () => number;
}

interface Numbers {
  readonly addresses: readonly number[];
  readonly nodePorts: readonly number[];
}

/** The effect of a write of a service on the ranges. */
interface Intent {
  readonly dryRun: boolean;
  readonly takesAddress: boolean;
  readonly planPorts: (options: PlanOptions) => NodePortPlan;
  /** Returns the numbers that the service releases when it is stored. */
  readonly released: (plan: NodePortPlan) => Numbers;
}

/** Returns the keys of the RangeAllocations of services in the store, which are those of kube-apiserver. */
export function rangeKeys(keyPrefix: string): { readonly addresses: string; readonly nodePorts: string } {
  return { addresses: `${keyPrefix}ranges/serviceips`, nodePorts: `${keyPrefix}ranges/servicenodeports` };
}

/** Returns the transactions that allocate and release addresses and ports with every write of a service. */
export function serviceAllocation(options: ServiceAllocationOptions): WriteTransactions {
  const allocators = openAllocators(options);
  return {
    async beginCreate(service, { dryRun }) {
      completeClusterIPs(service);
      completeIPFamilies(service, undefined);
      return begin(allocators, service, {
        dryRun,
        takesAddress: true,
        planPorts: planNewNodePorts,
        released: () => ({ addresses: [], nodePorts: [] }),
      });
    },
    async beginUpdate(service, old, { dryRun }) {
      carryAllocatedMembers(service, old);
      completeIPFamilies(service, old);
      const spec = objectAt(service, "spec");
      const oldSpec = objectAt(old, "spec");
      return begin(allocators, service, {
        dryRun,
        // An address stays until the service is deleted or becomes an ExternalName.
        takesAddress: !takesClusterIP(oldSpec),
        planPorts: (plan) => planChangedNodePorts(plan, oldSpec),
        released: (plan) => ({
          addresses: takesClusterIP(spec) ? [] : heldAddresses(old),
          nodePorts: releasedNodePorts(spec, plan, oldSpec),
        }),
      });
    },
    afterDelete: (service) =>
      release(allocators, { addresses: heldAddresses(service), nodePorts: heldNodePorts(service) }),
  };
}

interface Allocators {
  readonly addresses: RangeAllocator;
  readonly nodePorts: RangeAllocator;
  readonly reportFault: (error: unknown) => void;
}

function openAllocators(options: ServiceAllocationOptions): Allocators {
  const { store, reportFault, random = Math.random } = options;
  const keys = rangeKeys(options.keyPrefix);
  return {
    addresses: new RangeAllocator({ store, random, key: keys.addresses, range: options.addresses }),
    nodePorts: new RangeAllocator({ store, random, key: keys.nodePorts, range: options.nodePorts }),
    reportFault,
  };
}

async function begin(allocators: Allocators, service: JsonObject, intent: Intent): Promise<WriteTransaction> {
  const addresses = intent.takesAddress ? await takeAddress(allocators.addresses, service, intent.dryRun) : [];
  let plan: NodePortPlan;
  try {
    plan = await takeNodePorts(allocators.nodePorts, service, intent);
  } catch (error) {
    await release(allocators, { addresses, nodePorts: [] }).catch(allocators.reportFault);
    throw error;
  }
  if (intent.dryRun) {
    return emptyTransaction;
  }
  const taken = { addresses, nodePorts: plan.allocated };
  const released = intent.released(plan);
  return { commit: () => release(allocators, released), rollback: () => release(allocators, taken) };
}

/** Sets the address of a service, if it needs one. Returns the addresses taken from the range. */
async function takeAddress(
  allocator: RangeAllocator,
  service: JsonObject,
  dryRun: boolean,
): Promise<readonly number[]> {
  const spec = ownObject(service, "spec");
  const asked = clusterIPsOf(spec);
  if (!takesClusterIP(spec) || asked[0] === headlessAddress) {
    return [];
  }
  if (dryRun && asked.length === 0) {
    setAddress(spec, networkAddress(allocator.range));
    return [];
  }
  const reserve = { name: metaOf(service).name ?? "", asked, range: allocator.range, dryRun };
  const address = await available("a serviceIP", () => allocator.update((edit) => reserveAddress(edit, reserve)));
  if (asked.length === 0) {
    setAddress(spec, ipv4Text(address));
  }
  return dryRun ? [] : [address];
}

function setAddress(spec: JsonObject, address: string): void {
  spec["clusterIP"] = address;
  spec["clusterIPs"] = [address];
}

async function takeNodePorts(
  allocator: RangeAllocator,
  service: JsonObject,
  { planPorts, dryRun }: Intent,
): Promise<NodePortPlan> {
  const spec = ownObject(service, "spec");
  if (!takesNodePorts(spec) && !takesHealthCheckNodePort(spec)) {
    return untouchedNodePorts(spec);
  }
  const options = { name: metaOf(service).name ?? "", spec, range: allocator.range };
  const plan = await available("a nodePort", () =>
    allocator.update((edit) => planPorts({ ...options, edit: dryRun ? dryRunEdit(edit) : edit })),
  );
  for (const [index, port] of portsOf(spec).entries()) {
    const nodePort = plan.nodePorts[index] ?? 0;
    if (nodePort !== 0) {
      port["nodePort"] = nodePort;
    }
  }
  if (plan.healthCheckNodePort !== 0) {
    spec["healthCheckNodePort"] = plan.healthCheckNodePort;
  }
  return plan;
}

async function available<T>(what: string, allocate: () => Promise<T>): Promise<T> {
  try {
    return await allocate();
  } catch (error) {
    throw error instanceof RangeUnavailableError
      ? internalError(`failed to allocate ${what}: ${error.message}`, error)
      : error;
  }
}

async function release(allocators: Allocators, numbers: Numbers): Promise<void> {
  await Promise.all([
    releaseFrom(allocators.addresses, numbers.addresses),
    releaseFrom(allocators.nodePorts, numbers.nodePorts),
  ]);
}

async function releaseFrom(allocator: RangeAllocator, numbers: readonly number[]): Promise<void> {
  if (numbers.length > 0) {
    await allocator.update((edit) => {
      for (const number of numbers) {
        edit.release(number);
      }
    });
  }
}
