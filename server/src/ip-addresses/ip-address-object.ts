import { metaOf } from "@gatehouse/apiserver/objects";
import { ipFamilyOf } from "@gatehouse/apiserver/options";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";

/** The objects that say whose an address is; their names are the addresses. */
export const ipAddresses: GroupResource = Object.freeze({ group: "networking.k8s.io", resource: "ipaddresses" });

/** The label with the family of an address. */
const familyLabel = "ipaddress.kubernetes.io/ip-family";
/** The label that says which program keeps an IPAddress. */
const managerLabel = "ipaddress.kubernetes.io/managed-by";
/** The value of that label for the addresses of Services. */
const manager = "ipallocator.k8s.io";

/** The namespace and name of a Service. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the namespace and name of a Service. */
export function nameOfService(service: JsonObject): ServiceName {
  const { namespace = "", name = "" } = metaOf(service);
  return { namespace, name };
}

/** Returns the IPAddress of an address of a Service; `address` is in canonical form. */
export function ipAddressOf(address: string, { namespace, name }: ServiceName): JsonObject {
  return {
    kind: "IPAddress",
    apiVersion: "networking.k8s.io/v1alpha1",
    metadata: { name: address, labels: { [familyLabel]: ipFamilyOf(address) ?? "", [managerLabel]: manager } },
    spec: { parentRef: { resource: "services", namespace, name } },
  };
}

/** Reports whether an IPAddress is kept by the allocator of Services, whatever it refers to. */
export function isOfAllocator(labels: Readonly<Record<string, unknown>> | undefined): boolean {
  return labels?.[managerLabel] === manager;
}

/** Reports whether an IPAddress has the labels that the allocator gives it. */
export function hasAllocatorLabels(ipAddress: JsonObject): boolean {
  const { name = "", labels } = metaOf(ipAddress);
  return isOfAllocator(labels) && labels?.[familyLabel] === ipFamilyOf(name);
}

/** Returns the Service that an IPAddress belongs to; undefined when it refers to another object. */
export function serviceOf(ipAddress: JsonObject): ServiceName | undefined {
  const parent = (member: string): string => textAt(ipAddress, "spec", "parentRef", member);
  return parent("group") === "" && parent("resource") === "services"
    ? { namespace: parent("namespace"), name: parent("name") }
    : undefined;
}

/** Reports whether two names are of the same Service. */
export function isSameService(a: ServiceName, b: ServiceName): boolean {
  return a.namespace === b.namespace && a.name === b.name;
}
