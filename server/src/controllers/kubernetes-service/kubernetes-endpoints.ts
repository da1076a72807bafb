import { isIPv6 } from "node:net";
import type { ObjectClient } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { isSameState } from "@gatehouse/envelopes/go";
import { type JsonObject, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { endpointSlices, endpoints } from "../core-resources.js";

const target = { namespace: "default", name: "kubernetes" } as const;

/** The label by which the mirroring controller knows that the slice is made here. */
const skipMirrorLabel = "endpointslice.kubernetes.io/skip-mirror";
const serviceNameLabel = "kubernetes.io/service-name";

/** Returns the addresses in the Endpoints of the `kubernetes` Service. */
export async function publishedAddresses(client: ObjectClient): Promise<readonly string[]> {
  const current = await client.get(endpoints, target.namespace, target.name);
  const subset = current === undefined ? undefined : listAt(current, "subsets")[0];
  return subset === undefined ? [] : listAt(subset, "addresses").map((address) => textAt(address, "ip"));
}

/** Writes the addresses of the API servers into the Endpoints and the EndpointSlice of the `kubernetes` Service. */
export async function publishEndpoints(
  client: ObjectClient,
  addresses: readonly string[],
  port: number,
): Promise<void> {
  const ports = [{ name: "https", port, protocol: "TCP" }];
  await ensure(client, endpointsObject(addresses, ports));
  if (client.find(endpointSlices) !== undefined) {
    await ensureSlice(client, sliceObject(addresses, ports));
  }
}

function endpointsObject(addresses: readonly string[], ports: JsonObject[]): JsonObject {
  return {
    kind: "Endpoints",
    apiVersion: "v1",
    metadata: { ...target, labels: { [skipMirrorLabel]: "true" } },
    subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }],
  };
}

function sliceObject(addresses: readonly string[], ports: JsonObject[]): JsonObject {
  const ipv6 = addresses.every((address) => isIPv6(address));
  const shown = addresses.filter((address) => isIPv6(address) === ipv6);
  return {
    kind: "EndpointSlice",
    apiVersion: "discovery.k8s.io/v1",
    metadata: { ...target, labels: { [serviceNameLabel]: target.name } },
    addressType: ipv6 ? "IPv6" : "IPv4",
    endpoints: shown.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports,
  };
}

async function ensure(client: ObjectClient, wanted: JsonObject): Promise<void> {
  const current = await client.get(endpoints, target.namespace, target.name);
  if (current === undefined) {
    await client.create(endpoints, wanted);
    return;
  }
  const revise = (object: JsonObject): JsonObject | undefined => {
    const labelled = textAt(object, "metadata", "labels", skipMirrorLabel) === "true";
    if (labelled && isSameState(object["subsets"], wanted["subsets"])) {
      return undefined;
    }
    const meta = metaOf(object);
    meta.labels = { ...meta.labels, [skipMirrorLabel]: "true" };
    object["subsets"] = structuredClone(wanted["subsets"]);
    return object;
  };
  if (revise(current) !== undefined) {
    await client.update(endpoints, target, revise);
  }
}

async function ensureSlice(client: ObjectClient, wanted: JsonObject): Promise<void> {
  const current = await client.get(endpointSlices, target.namespace, target.name);
  // The type of the addresses cannot be changed.
  if (current !== undefined && current["addressType"] !== wanted["addressType"]) {
    await client.delete(endpointSlices, target.namespace, target.name);
    await client.create(endpointSlices, wanted);
  } else if (current === undefined) {
    await client.create(endpointSlices, wanted);
  } else if (reviseSlice(structuredClone(current), wanted) !== undefined) {
    await client.update(endpointSlices, target, (object) => reviseSlice(object, wanted));
  }
}

function reviseSlice(object: JsonObject, wanted: JsonObject): JsonObject | undefined {
  const same =
    isSameState(object["endpoints"], wanted["endpoints"]) &&
    isSameState(object["ports"], wanted["ports"]) &&
    isSameState(objectAt(object, "metadata", "labels"), objectAt(wanted, "metadata", "labels"));
  if (same) {
    return undefined;
  }
  metaOf(object).labels = structuredClone(valueAt(wanted, "metadata", "labels")) as Record<string, string>;
  object["endpoints"] = structuredClone(wanted["endpoints"]);
  object["ports"] = structuredClone(wanted["ports"]);
  return object;
}
