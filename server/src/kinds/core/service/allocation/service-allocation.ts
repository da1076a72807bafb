import { metaOf } from "@gatehouse/apiserver/objects";
import type { AddressRange, IPFamily, NumberRange } from "@gatehouse/apiserver/options";
import { emptyTransaction, type WriteTransaction, type WriteTransactions } from "@gatehouse/apiserver/registry";
import type { Store } from "@gatehouse/apiserver/storage";
import { type JsonObject, objectAt, ownObject } from "@gatehouse/envelopes/json";
import { portsOf, takesHealthCheckNodePort, takesNodePorts } from "../service-fields.js";
import type { AddressPool } from "./address-pool.js";
import type { ServiceAllocationMetrics } from "./allocator-metrics.js";
import { available } from "./available.js";
import { carryAllocatedMembers, completeClusterIPs } from "./carry-allocated.js";
import { type ClusterAddresses, clusterAddresses, firstMissingFamily, releasedAddresses } from "./cluster-addresses.js";
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
import { RangeAllocator } from "./range-allocator.js";
import { rangeKeys } from "./range-keys.js";
import { rangePool } from "./range-pool.js";

/** The ranges of services, and their place in the store. */
export interface ServiceAllocationOptions {
  readonly store: Store;
  /** The prefix of keys in the store; ends with a slash. */
  readonly keyPrefix: string;
  /** The ranges of addresses (`--service-cluster-ip-range`): the primary one, and one of the other family or none. */
  readonly addresses: readonly [AddressRange, ...AddressRange[]];
  /** Returns where the addresses of a family come from. Default: from their range, in a RangeAllocation. */
  readonly addressPool?: ((family: IPFamily) => AddressPool) | undefined;
  /** The range of node ports (`--service-node-port-range`). */
  readonly nodePorts: NumberRange;
  /** Called with the error when numbers could not be freed; the repair finds them later. */
  readonly reportFault: (error: unknown) => void;
  /** Returns a random number from 0 up to 1. Default: Math.random. */
  readonly random?: () => number;
  /** Metrics of the allocators; none when absent. */
  readonly metrics?: ServiceAllocationMetrics;
}

interface Numbers {
  readonly addresses: readonly string[];
  readonly nodePorts: readonly number[];
}

/** The effect of a write of a service on the ranges. */
interface Intent {
  readonly dryRun: boolean;
  /** The index of the first family of which the service takes an address. */
  readonly takesFrom: number;
  readonly planPorts: (options: PlanOptions) => NodePortPlan;
  /** Returns the numbers that the service releases when it is stored. */
  readonly released: (plan: NodePortPlan) => Numbers;
}

/** Returns the transactions that allocate and release addresses and ports with every write of a service. */
export function serviceAllocation(options: ServiceAllocationOptions): WriteTransactions {
  const allocators = openAllocators(options);
  return {
    async beginCreate(service, { dryRun }) {
      completeClusterIPs(service);
      completeIPFamilies(service, undefined, allocators.addresses.families);
      return begin(allocators, service, {
        dryRun,
        takesFrom: firstMissingFamily(objectAt(service, "spec"), undefined),
        planPorts: planNewNodePorts,
        released: () => ({ addresses: [], nodePorts: [] }),
      });
    },
    async beginUpdate(service, old, { dryRun }) {
      carryAllocatedMembers(service, old);
      completeIPFamilies(service, old, allocators.addresses.families);
      const spec = objectAt(service, "spec");
      const oldSpec = objectAt(old, "spec");
      return begin(allocators, service, {
        dryRun,
        takesFrom: firstMissingFamily(spec, oldSpec),
        planPorts: (plan) => planChangedNodePorts(plan, oldSpec),
        released: (plan) => ({
          addresses: releasedAddresses(service, old),
          nodePorts: releasedNodePorts(spec, plan, oldSpec),
        }),
      });
    },
    afterDelete: (service) =>
      release(allocators, service, { addresses: heldAddresses(service), nodePorts: heldNodePorts(service) }),
  };
}

interface Allocators {
  readonly addresses: ClusterAddresses;
  readonly nodePorts: RangeAllocator;
  readonly reportFault: (error: unknown) => void;
}

function openAllocators(options: ServiceAllocationOptions): Allocators {
  const { store, reportFault, random = Math.random, metrics } = options;
  const keys = rangeKeys(options.keyPrefix);
  const [primary, secondary] = options.addresses;
  const ofRange = (key: string, range: AddressRange): AddressPool =>
    rangePool(
      range,
      new RangeAllocator({
        ...{ store, random, key, range },
        ...(metrics && { metrics: metrics.addresses(range.text) }),
      }),
    );
  const poolOf = (key: string, range: AddressRange): AddressPool =>
    options.addressPool?.(range.family) ?? ofRange(key, range);
  const first = poolOf(keys.addresses, primary);
  return {
    addresses: clusterAddresses(
      secondary === undefined ? [first] : [first, poolOf(keys.secondaryAddresses, secondary)],
      reportFault,
    ),
    nodePorts: new RangeAllocator({
      store,
      random,
      key: keys.nodePorts,
      range: options.nodePorts,
      ...(metrics && { metrics: metrics.nodePorts }),
    }),
    reportFault,
  };
}

async function begin(allocators: Allocators, service: JsonObject, intent: Intent): Promise<WriteTransaction> {
  const addresses = await allocators.addresses.take(service, intent.takesFrom, intent.dryRun);
  let plan: NodePortPlan;
  try {
    plan = await takeNodePorts(allocators.nodePorts, service, intent);
  } catch (error) {
    await release(allocators, service, { addresses, nodePorts: [] }).catch(allocators.reportFault);
    throw error;
  }
  if (intent.dryRun) {
    return emptyTransaction;
  }
  const taken = { addresses, nodePorts: plan.allocated };
  const released = intent.released(plan);
  return {
    commit: () => release(allocators, service, released),
    rollback: () => release(allocators, service, taken),
  };
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

async function release(allocators: Allocators, service: JsonObject, { addresses, nodePorts }: Numbers): Promise<void> {
  await Promise.all([allocators.addresses.release(addresses, service), allocators.nodePorts.release(nodePorts)]);
}
