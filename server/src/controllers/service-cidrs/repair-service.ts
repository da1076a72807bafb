import { ignoreNotFound, type ObjectClient } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type IPFamily, ipText, parseIp } from "@gatehouse/apiserver/options";
import { type JsonObject, textAt, textsAt } from "@gatehouse/envelopes/json";
import { holdsHost } from "../../ip-addresses/host-range.js";
import {
  hasAllocatorLabels,
  ipAddresses,
  ipAddressOf,
  isSameService,
  nameOfService,
  serviceOf,
} from "../../ip-addresses/ip-address-object.js";
import type { ServiceCidrs } from "../../ip-addresses/service-cidrs.js";
import { services } from "../core-resources.js";
import type { EventRecorder } from "../event-recorder.js";

/** The surroundings of the repair. */
export interface RepairContext {
  readonly client: ObjectClient;
  readonly serviceCidrs: ServiceCidrs;
  readonly recorder: EventRecorder;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

const kindOfServices = { kind: "Service", apiVersion: "v1" } as const;

/** Returns the addresses that a Service has; none when it is headless or has no address yet. */
export function addressesOfService(service: JsonObject): readonly string[] {
  const first = textAt(service, "spec", "clusterIP");
  return first === "" || first === "None" ? [] : textsAt(service, "spec", "clusterIPs");
}

/** Looks whether each address of a Service has an IPAddress that refers to it, and makes those that are missing or wrong. */
export async function repairService(context: RepairContext, service: JsonObject): Promise<void> {
  for (const address of addressesOfService(service)) {
    await repairAddress(context, service, address);
  }
}

async function repairAddress(context: RepairContext, service: JsonObject, address: string): Promise<void> {
  const { client, serviceCidrs, recorder } = context;
  const warn = (reason: string, note: string, action = "ClusterIPAllocation"): Promise<void> =>
    recorder.warn(service, kindOfServices, { reason, action, note });
  const parsed = parseIp(address);
  if (parsed === undefined) {
    const note = "Cluster IP <nil> is not a valid IP; please recreate Service";
    return warn("ClusterIPNotValid", note, "ClusterIPValidation");
  }
  const shown = shownAddress(parsed.family, ipText(parsed));
  if (!serviceCidrs.all().some(({ ranges }) => ranges.some((range) => holdsHost(range, parsed)))) {
    return warn(
      "ClusterIPOutOfRange",
      `Cluster IP ${shown} is not within any configured Service CIDR; please recreate service`,
    );
  }
  const name = ipText(parsed);
  const ipAddress = client.cached(ipAddresses, "", name)?.object() ?? (await client.get(ipAddresses, "", name));
  const problem = ipAddress === undefined ? "missing" : await problemOf(context, service, ipAddress);
  if (problem === undefined) {
    return;
  }
  if (problem === "assigned twice") {
    const note = `Cluster IP [${parsed.family}]:${name} was assigned to multiple services; please recreate service`;
    return warn("ClusterIPAlreadyAllocated", note);
  }
  // The cache may be behind: a Service that has just given its address back must not get it again.
  if (!(await stillHas(client, service, address))) {
    return;
  }
  if (problem === "missing") {
    await warn("ClusterIPNotAllocated", `Cluster IP ${shown} is not allocated; repairing`);
  } else if (problem === "refers to another object") {
    const { namespace, name: own } = nameOfService(service);
    const note = `the ClusterIP ${shown} for Service ${namespace}/${own} has a wrong reference; repairing`;
    await warn("ClusterIPNotAllocated", note);
  }
  if (ipAddress !== undefined) {
    await client.delete(ipAddresses, "", name).catch(ignoreNotFound);
  }
  await client.create(ipAddresses, ipAddressOf(name, nameOfService(service)));
}

type Problem = "assigned twice" | "missing" | "refers to another object" | "wrong labels";

/** Returns what is wrong with the IPAddress of an address of a Service. */
async function problemOf(
  { client }: RepairContext,
  service: JsonObject,
  ipAddress: JsonObject,
): Promise<Problem | undefined> {
  const owner = serviceOf(ipAddress);
  if (owner === undefined) {
    return "refers to another object";
  }
  if (isSameService(owner, nameOfService(service))) {
    return hasAllocatorLabels(ipAddress) ? undefined : "wrong labels";
  }
  const other = await client.get(services, owner.namespace, owner.name);
  if (other === undefined) {
    return "refers to another object";
  }
  // Of another Service without this address, the IPAddress is left over, and removed as such.
  return addressesOfService(other).includes(metaOf(ipAddress).name ?? "") ? "assigned twice" : undefined;
}

async function stillHas(client: ObjectClient, service: JsonObject, address: string): Promise<boolean> {
  const { namespace, name } = nameOfService(service);
  const current = await client.get(services, namespace, name);
  return (
    current !== undefined &&
    metaOf(current).uid === metaOf(service).uid &&
    addressesOfService(current).includes(address)
  );
}

function shownAddress(family: IPFamily, address: string): string {
  return `[${family}]: ${address}`;
}
