import type { ObjectClient } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { scaledIntOrPercent } from "@gatehouse/envelopes/codec";
import { integerAt, type JsonObject, type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";
import { groupResourceText } from "@gatehouse/envelopes/status";
import { controllerOf, type PodSummary } from "./pod-summary.js";

/** The number of pods that a budget expects, and the number that must be healthy. */
export interface ExpectedPods {
  readonly expected: number;
  readonly desiredHealthy: number;
  /** True if pods without a controller are not counted, although a share of the pods is wanted. */
  readonly hasUnmanaged: boolean;
}

/** Computes the pods that a budget expects of those it selects. Throws when their controllers cannot be found. */
export async function expectedPods(
  client: ObjectClient,
  namespace: string,
  budget: JsonObject,
  pods: readonly PodSummary[],
): Promise<ExpectedPods> {
  const { minAvailable, maxUnavailable } = objectAt(budget, "spec");
  if (maxUnavailable !== undefined && maxUnavailable !== null) {
    const { expected, hasUnmanaged } = await expectedScale(client, namespace, pods);
    const unavailable = scaled(maxUnavailable, expected);
    return { expected, desiredHealthy: Math.max(0, expected - unavailable), hasUnmanaged };
  }
  if (typeof minAvailable === "string") {
    const { expected, hasUnmanaged } = await expectedScale(client, namespace, pods);
    return { expected, desiredHealthy: scaled(minAvailable, expected), hasUnmanaged };
  }
  return typeof minAvailable === "number"
    ? { expected: pods.length, desiredHealthy: minAvailable, hasUnmanaged: false }
    : { expected: 0, desiredHealthy: 0, hasUnmanaged: false };
}

/** Returns a number, or a percentage of the total, rounded up. */
function scaled(value: JsonValue, total: number): number {
  const number = typeof value === "number" || typeof value === "string" ? scaledIntOrPercent(value, total, true) : 0;
  if (number === undefined) {
    throw new Error("invalid value for IntOrString: invalid type: string is not a percentage");
  }
  return number;
}

/** Sums the replicas that the controllers of pods want. Pods without a controller do not count. */
async function expectedScale(
  client: ObjectClient,
  namespace: string,
  pods: readonly PodSummary[],
): Promise<Omit<ExpectedPods, "desiredHealthy">> {
  const scales = new Map<string, number>();
  const seen = new Set<string>();
  for (const { name, controller } of pods) {
    const uid = textAt(controller, "uid");
    if (controller === undefined || seen.has(uid)) {
      continue;
    }
    const scale = await scaleOf(client, namespace, controller);
    if (scale === undefined) {
      throw new Error(`found no controllers for pod ${JSON.stringify(name)}`);
    }
    seen.add(uid);
    scales.set(scale.uid, scale.replicas);
  }
  const expected = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  return { expected, hasUnmanaged: pods.some(({ controller }) => controller === undefined) };
}

interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

/** Returns the controller of a pod and its replicas, as it knows workloads or else by its scale. */
async function scaleOf(client: ObjectClient, namespace: string, reference: JsonObject): Promise<Scale | undefined> {
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
  return owner !== undefined && metaOf(owner).uid === textAt(reference, "uid")
    ? { uid: metaOf(owner).uid ?? "", replicas: read?.(owner) ?? 0 }
    : undefined;
}
