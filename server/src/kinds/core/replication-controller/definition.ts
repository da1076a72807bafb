import { type ResourceRow, scaleSubresource, statusSubresource } from "@gatehouse/apiserver/registry";
import { integerAt } from "@gatehouse/envelopes/json";
import { namedTemplateWarnings } from "../../workload-warnings.js";
import { replicationControllerTable } from "./columns.js";
import { replicationControllerRules } from "./rules.js";

/**
 * The definition of ReplicationController, the predecessor of ReplicaSet, stored under `controllers`. A deletion
 * without a propagation policy orphans its pods.
 */
export const replicationControllerRow: ResourceRow = {
  resource: "replicationcontrollers",
  kind: "ReplicationController",
  namespaced: true,
  metadataRechecks: "inRules",
  shortNames: ["rc"],
  categories: ["all"],
  subresources: [scaleSubresource, statusSubresource],
  storage: { prefix: "controllers" },
  storageVersionHash: "Jond2If31h0=",
  hasGeneration: true,
  defaultPropagation: "Orphan",
  fields: { "status.replicas": (controller) => String(integerAt(controller, "status", "replicas")) },
  table: replicationControllerTable,
  // v1.29 warns about the replaced template, not about the new one.
  warnings: namedTemplateWarnings(["spec", "template"], { ofUpdate: "before" }),
  rules: replicationControllerRules,
};
