import { integerAt } from "../../../objects/json-fields.js";
import { type ResourceRow, scaleSubresource, statusSubresource } from "../../define-resource.js";
import { namedTemplateWarnings } from "../../workload-warnings.js";
import { replicationControllerTable } from "./columns.js";
import { replicationControllerDefaults } from "./defaults.js";
import { replicationControllerRules } from "./rules.js";

/** The forerunner of ReplicaSet, stored under `controllers`. A deletion that does not say orphans its pods. */
export const replicationControllerRow: ResourceRow = {
  resource: "replicationcontrollers",
  kind: "ReplicationController",
  namespaced: true,
  shortNames: ["rc"],
  categories: ["all"],
  subresources: [scaleSubresource, statusSubresource],
  storage: { prefix: "controllers" },
  storageVersionHash: "Jond2If31h0=",
  hasGeneration: true,
  defaultPropagation: "Orphan",
  fields: { "status.replicas": (controller) => String(integerAt(controller, "status", "replicas")) },
  table: replicationControllerTable,
  defaultingRules: replicationControllerDefaults,
  warnings: namedTemplateWarnings("spec", "template"),
  rules: replicationControllerRules,
};
