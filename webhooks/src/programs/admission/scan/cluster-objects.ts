import type { Cluster, ClusterResource } from "@gatehouse/component-base/cluster";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { PolicyObjects } from "../../../toolkit/testing/policy-objects.js";
import type { PolicySet } from "../../../toolkit/testing/policy-set.js";

/** Resolves to what a search in a cluster finds; to undefined when the cluster does not serve it. */
export async function ifServed<T>(search: Promise<T>): Promise<T | undefined> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) {
      return undefined;
    }
    throw error;
  }
}

/** Lists the objects of a resource, each with its kind, which items of lists do not say. */
export async function listObjects(
  cluster: Cluster,
  resource: ClusterResource,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const { apiVersion, kind } = resource;
  const objects: JsonObject[] = [];
  await cluster.list(resource, (item) => objects.push({ ...item, apiVersion, kind }), signal);
  return objects;
}

/**
 * Reads the objects that policies look at: namespaces, and their parameters. Those in `documents` go before those of the
 * cluster, since policies may come with parameters that are not yet applied.
 */
export async function readPolicyObjects(
  cluster: Cluster,
  { policies }: PolicySet,
  documents: readonly JsonObject[],
  signal: AbortSignal,
): Promise<PolicyObjects> {
  if (policies.length === 0) {
    return new PolicyObjects(documents);
  }
  const kinds = new Map([["v1 Namespace", { apiVersion: "v1", kind: "Namespace" }]]);
  for (const { paramKind } of policies) {
    if (paramKind !== undefined) {
      kinds.set(`${paramKind.apiVersion} ${paramKind.kind}`, paramKind);
    }
  }
  const served: ClusterResource[] = [];
  const objects: JsonObject[] = [];
  for (const { apiVersion, kind } of kinds.values()) {
    const resource = await ifServed(cluster.resourceOf(apiVersion, kind));
    if (resource !== undefined) {
      served.push(resource);
      for (const object of await listObjects(cluster, resource, signal)) {
        objects.push(object);
      }
    }
  }
  return new PolicyObjects([...objects, ...documents], served);
}
