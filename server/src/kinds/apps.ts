import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { valueAt } from "../objects/json-fields.js";
import { copyMembers, metaOf } from "../objects/object-meta.js";
import { daemonSetStrategy } from "./daemon-set-strategy.js";
import { defineResources, scaleSubresource, statusSubresource } from "./define-resource.js";

/** Deployments count changes of their annotations, too. */
function specAndAnnotations(deployment: JsonObject): JsonObject {
  return { spec: deployment["spec"], annotations: valueAt(deployment, "metadata", "annotations") };
}

function keepLabels(deployment: JsonObject, old: JsonObject): void {
  copyMembers(metaOf(old), metaOf(deployment), ["labels"]);
}

/** Workloads. */
export const appsResources: readonly ResourceDefinition[] = defineResources("apps", "v1", [
  { resource: "controllerrevisions", kind: "ControllerRevision", namespaced: true, storageVersionHash: "85nkx63pcBU=" },
  {
    resource: "daemonsets",
    kind: "DaemonSet",
    namespaced: true,
    shortNames: ["ds"],
    categories: ["all"],
    subresources: [statusSubresource],
    storageVersionHash: "dd7pWHUlMKQ=",
    hasGeneration: true,
    ...daemonSetStrategy,
  },
  {
    resource: "deployments",
    kind: "Deployment",
    namespaced: true,
    shortNames: ["deploy"],
    categories: ["all"],
    subresources: [scaleSubresource, statusSubresource],
    storageVersionHash: "8aSe+NMegvE=",
    hasGeneration: true,
    desiredState: specAndAnnotations,
    prepareForStatusUpdate: keepLabels,
  },
  {
    resource: "replicasets",
    kind: "ReplicaSet",
    namespaced: true,
    shortNames: ["rs"],
    categories: ["all"],
    subresources: [scaleSubresource, statusSubresource],
    storageVersionHash: "P1RzHs8/mWQ=",
    hasGeneration: true,
  },
  {
    resource: "statefulsets",
    kind: "StatefulSet",
    namespaced: true,
    shortNames: ["sts"],
    categories: ["all"],
    subresources: [scaleSubresource, statusSubresource],
    storageVersionHash: "H+vl74LkKdo=",
    nameRule: "dnsLabel",
    hasGeneration: true,
  },
]);
