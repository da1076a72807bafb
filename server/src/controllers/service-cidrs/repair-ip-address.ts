import type { WorkResult } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { ipAddresses, isOfAllocator, serviceOf } from "../../ip-addresses/ip-address-object.js";
import { services } from "../core-resources.js";
import type { Report } from "../event-recorder.js";
import { addressesOfService, type RepairContext } from "./repair-service.js";

const kindOfIpAddresses = { kind: "IPAddress", apiVersion: "networking.k8s.io/v1alpha1" } as const;

/**
 * Milliseconds for which an IPAddress may be without its Service, as in v1.29: it is made first, and the write of the Service
 * may take as long as a request.
 */
const graceMs = 60_000;

/** Looks whether the Service of an IPAddress has its address, and removes an IPAddress that is left over. */
export async function repairIpAddress(context: RepairContext, name: string): Promise<WorkResult> {
  const { client, recorder, now } = context;
  const cached = client.cached(ipAddresses, "", name);
  // What others keep is none of this repair's business.
  if (cached === undefined || !isOfAllocator(cached.labels())) {
    return undefined;
  }
  const ipAddress = cached.object();
  const problem = await problemOf(context, ipAddress);
  if (problem === undefined) {
    return undefined;
  }
  const restMs = problem.mayBeInTheMaking ? createdAt(ipAddress) + graceMs - now() : 0;
  if (restMs > 0) {
    return { afterMs: restMs };
  }
  await recorder.warn(ipAddress, kindOfIpAddresses, problem.report);
  const { uid } = metaOf(ipAddress);
  await client.delete(ipAddresses, "", name, uid === undefined ? {} : { preconditions: { uid } });
  return undefined;
}

interface Problem {
  /** True if the Service may be just about to be written. */
  readonly mayBeInTheMaking: boolean;
  readonly report: Report;
}

async function problemOf({ client }: RepairContext, ipAddress: JsonObject): Promise<Problem | undefined> {
  const { name = "" } = metaOf(ipAddress);
  const owner = serviceOf(ipAddress);
  if (owner === undefined) {
    const note = `IPAddress ${name} appears to have been modified, not referencing a Service ${goParent(ipAddress)}: cleaning up`;
    return { mayBeInTheMaking: false, report: report("IPAddressNotAllocated", note) };
  }
  // The cache may be behind; before something is removed, the store is asked.
  const cached = client.cached(services, owner.namespace, owner.name)?.object();
  if (cached !== undefined && addressesOfService(cached).includes(name)) {
    return undefined;
  }
  const service = await client.get(services, owner.namespace, owner.name);
  if (service !== undefined && addressesOfService(service).includes(name)) {
    return undefined;
  }
  const shown = `IPAddress: ${name} for Service ${owner.namespace}/${owner.name}`;
  return {
    mayBeInTheMaking: true,
    report:
      service === undefined
        ? report("IPAddressNotAllocated", `${shown} appears to have leaked: cleaning up`)
        : report("IPAddressWrongReference", `${shown} has a wrong reference; cleaning up`),
  };
}

function report(reason: string, note: string): Report {
  return { reason, action: "IPAddressAllocation", note };
}

function createdAt(ipAddress: JsonObject): number {
  return Date.parse(textAt(ipAddress, "metadata", "creationTimestamp"));
}

/** Returns the reference of an IPAddress as v1.29 prints it. */
function goParent(ipAddress: JsonObject): string {
  const member = (name: string): string => textAt(ipAddress, "spec", "parentRef", name);
  return `&ParentReference{Group:${member("group")},Resource:${member("resource")},Namespace:${member("namespace")},Name:${member("name")},}`;
}
