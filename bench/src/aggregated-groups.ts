import { setTimeout as sleep } from "node:timers/promises";
import type { BareServerOperations } from "./bare/bare-operations.js";
import type { Certificates } from "./certificates.js";
import type { ApiClient } from "./processes/api-client.js";
import type { Child } from "./processes/child.js";

/** The Accept header by which clients ask for all resources at once. */
export const aggregatedDiscoveryType = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

const deadlineMs = 30_000;

/** Returns the path of a group version that a bare server answers for. */
export function aggregatedPath(index: number): string {
  return `/apis/${groupName(index)}/v1`;
}

function groupName(index: number): string {
  return `group-${index}.example.com`;
}

const servicesPath = "/api/v1/namespaces/default/services";
const apiServicesPath = "/apis/apiregistration.k8s.io/v1/apiservices";
const serviceName = "bare";

/**
 * Registers groups whose server is a bare one, and waits until they are available and their discovery is known. Resolves
 * to the port of the bare server.
 */
export async function aggregateGroups(
  front: Pick<ApiClient, "request">,
  bare: Child<BareServerOperations>,
  certificates: Certificates,
  count: number,
): Promise<number> {
  const port = await bare.call("listen", certificates);
  await registerGroups(front, bare, port, count);
  return port;
}

/** Registers groups whose server is a bare one that listens at `port`, and waits until they are available. */
export async function registerGroups(
  front: Pick<ApiClient, "request">,
  bare: Child<BareServerOperations>,
  port: number,
  count: number,
): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const json = { "content-type": "application/json" };
  await bare.call("serve", {
    path: "/apis",
    headers: { "content-type": aggregatedDiscoveryType },
    body: Buffer.from(JSON.stringify(discoveryOf(indexes))),
  });
  for (const index of indexes) {
    await bare.call("serve", { path: aggregatedPath(index), headers: json, body: Buffer.from("{}") });
  }
  const service = { metadata: { name: serviceName }, spec: { type: "ExternalName", externalName: "localhost" } };
  await front.request("POST", servicesPath, JSON.stringify(service));
  for (const index of indexes) {
    const group = groupName(index);
    const apiService = {
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: "v1",
        groupPriorityMinimum: 1000,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: "default", name: serviceName, port },
      },
    };
    await front.request("POST", apiServicesPath, JSON.stringify(apiService));
  }
  const giveUpAt = performance.now() + deadlineMs;
  while (!(await Promise.all(indexes.map((index) => isAvailable(front, index)))).every(Boolean)) {
    if (performance.now() > giveUpAt) {
      throw new Error("the aggregated groups did not become available");
    }
    await sleep(100);
  }
}

/** Takes back what `registerGroups` has registered. */
export async function removeGroups(front: Pick<ApiClient, "ask">, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await front.ask("DELETE", `${apiServicesPath}/v1.${groupName(index)}`);
  }
  await front.ask("DELETE", `${servicesPath}/${serviceName}`);
}

async function isAvailable(front: Pick<ApiClient, "request">, index: number): Promise<boolean> {
  const path = `${apiServicesPath}/v1.${groupName(index)}`;
  return (await front.request("GET", path)).body.includes('"reason":"Passed"');
}

function discoveryOf(indexes: readonly number[]): object {
  const resource = {
    resource: "things",
    responseKind: { group: "", version: "", kind: "Thing" },
    scope: "Namespaced",
    singularResource: "thing",
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  };
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2beta1",
    items: indexes.map((index) => ({
      metadata: { name: groupName(index) },
      versions: [{ version: "v1", resources: [resource] }],
    })),
  };
}
