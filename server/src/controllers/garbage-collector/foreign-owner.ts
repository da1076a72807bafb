import { uidOf } from "@gatehouse/apiserver/client";
import { timestamp } from "@gatehouse/apiserver/objects";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { AggregatedClient } from "../../aggregation/aggregated-object-client.js";
import { events } from "../core-resources.js";
import type { ObjectLocation } from "./dependency-graph.js";
import type { OwnerReference } from "./owner-reference.js";

const component = "garbage-collector-controller";

/**
 * Writes an Event, as v1.29 does, when an object names an owner that exists in another namespace only, or in any if the
 * object is in none: such an owner counts as gone or is passed over, which surprises users.
 */
export async function reportForeignOwners(
  context: { readonly client: AggregatedClient; readonly now: () => number },
  location: ObjectLocation,
  uid: string | undefined,
  missing: readonly OwnerReference[],
): Promise<void> {
  const { client, now } = context;
  for (const reference of missing) {
    if (await existsElsewhere(client, reference)) {
      const resource = client.findPreferred(location.resource) ?? location.resource;
      await client.create(events, foreignOwnerEvent({ ...location, resource }, uid, reference, now()));
    }
  }
}

async function existsElsewhere(client: AggregatedClient, reference: OwnerReference): Promise<boolean> {
  const resource = client.findKind(reference.apiVersion, reference.kind);
  if (resource === undefined || !resource.namespaced) {
    return false;
  }
  const owners = await client.list(resource, "");
  return owners.some(({ name, entry }) => name === reference.name && uidOf(entry) === reference.uid);
}

function foreignOwnerEvent(
  { resource, namespace, name }: ObjectLocation,
  uid: string | undefined,
  reference: OwnerReference,
  nowMs: number,
): JsonObject {
  const { apiVersion, kind } = resource;
  const identity = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
  const at = timestamp(nowMs);
  return {
    kind: "Event",
    apiVersion: "v1",
    metadata: { namespace: namespace || "default", name: `${name}.${(nowMs * 1_000_000).toString(16)}` },
    involvedObject: {
      kind,
      ...(namespace === "" ? {} : { namespace }),
      name,
      ...(uid === undefined ? {} : { uid }),
      apiVersion,
    },
    reason: "OwnerRefInvalidNamespace",
    message: `ownerRef ${identity} does not exist in namespace ${JSON.stringify(namespace)}`,
    source: { component },
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
    type: "Warning",
    reportingComponent: component,
    reportingInstance: "",
  };
}
