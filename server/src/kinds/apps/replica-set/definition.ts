import { type ResourceRow, scaleSubresource, statusSubresource } from "@gatehouse/apiserver/registry";
import { namedTemplateWarnings } from "../../workload-warnings.js";
import { replicaSetTable } from "./columns.js";
import { replicaSetRules } from "./rules.js";

/** The definition of ReplicaSet, a number of pods from one template; mostly a deployment owns it. */
export const replicaSetRow: ResourceRow = {
  resource: "replicasets",
  kind: "ReplicaSet",
  namespaced: true,
  metadataRechecks: "inRules",
  shortNames: ["rs"],
  categories: ["all"],
  subresources: [scaleSubresource, statusSubresource],
  storageVersionHash: "P1RzHs8/mWQ=",
  hasGeneration: true,
  table: replicaSetTable,
  rules: replicaSetRules,
  warnings: namedTemplateWarnings(["spec", "template"]),
};
