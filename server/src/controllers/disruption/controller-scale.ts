import type { ObjectClient } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { integerAt, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";
import { groupResourceText } from "@gatehouse/envelopes/status";
import { controllerOf } from "./pod-summary.js";

/** A controller of pods, and the pods that it wants. */
export interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

/** Returns the controller of a pod and its replicas: those of a known workload, otherwise those of the scale of any kind. */
export async function scaleOf(
  client: ObjectClient,
  namespace: string,
  reference: JsonObject,
): Promise<Scale | undefined> {
  return (await workloadScale(client, namespace, reference)) ?? (await genericScale(client, namespace, reference));
}

/** Kinds whose replicas are known without their scale, whatever the version of the reference. */
const workloads = [
  { kind: "ReplicationController", groups: [""], resource: { group: "", resource: "replicationcontrollers" } },
  { kind: "ReplicaSet", groups: ["apps", "extensions"], resource: { group: "apps", resource: "replicasets" } },
  { kind: "StatefulSet", groups: ["apps"], resource: { group: "apps", resource: "statefulsets" } },
];
const deployment = {
  kind: "Deployment",
  groups: ["apps", "extensions"],
  resource: { group: "apps", resource: "deployments" },
};

/** Returns the scale of a workload. The Deployment stands for its ReplicaSets. */
async function workloadScale(
  client: ObjectClient,
  namespace: string,
  reference: JsonObject,
): Promise<Scale | undefined> {
  const owner = await ownerOf(client, namespace, reference, workloads);
  const above = owner === undefined ? undefined : controllerOf(metaOf(owner));
  if (textAt(reference, "kind") !== "ReplicaSet" || textAt(above, "kind") !== deployment.kind) {
    return owner && replicasOf(owner);
  }
  const top = above && (await ownerOf(client, namespace, above, [deployment]));
  return top && replicasOf(top);
}

async function ownerOf(
  client: ObjectClient,
  namespace: string,
  reference: JsonObject,
  kinds: readonly (typeof deployment)[],
): Promise<JsonObject | undefined> {
  const { group } = groupVersionOf(textAt(reference, "apiVersion"));
  const known = kinds.find(({ kind, groups }) => kind === textAt(reference, "kind") && groups.includes(group));
  const owner = known && (await client.get(known.resource, namespace, textAt(reference, "name")));
  return owner !== undefined && metaOf(owner).uid === textAt(reference, "uid") ? owner : undefined;
}

function replicasOf(owner: JsonObject): Scale {
  return { uid: metaOf(owner).uid ?? "", replicas: Number(integerAt(owner, "spec", "replicas")) };
}

/** Returns the scale of any kind, which clients ask for in the version that they prefer. */
async function genericScale(
  client: ObjectClient,
  namespace: string,
  reference: JsonObject,
): Promise<Scale | undefined> {
  const [apiVersion, kind] = [textAt(reference, "apiVersion"), textAt(reference, "kind")];
  const named = client.findKind(apiVersion, kind);
  if (named === undefined) {
    throw new Error(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
  }
  const { replicasOf: read, ...resource } = client.findPreferred(named) ?? named;
  const owner = read && (await client.get(resource, resource.namespaced ? namespace : "", textAt(reference, "name")));
  if (owner === undefined && named.replicasOf === undefined) {
    throw new Error(`${groupResourceText(named)} does not implement the scale subresource`);
  }
  const scale = owner && { uid: metaOf(owner).uid ?? "", replicas: read?.(owner) ?? 0 };
  return scale?.uid === textAt(reference, "uid") ? scale : undefined;
}
