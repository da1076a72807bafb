import { type ResourceRow, scaleSubresource, statusSubresource } from "@gatehouse/apiserver/registry";
import { namedTemplateWarnings } from "../../workload-warnings.js";
import { deploymentTable } from "./columns.js";
import { deploymentRules } from "./rules.js";
import { deploymentStrategy } from "./strategy.js";

/** The definition of Deployment, a replaceable set of pods. Its generation counts changes of annotations, too. */
export const deploymentRow: ResourceRow = {
  resource: "deployments",
  kind: "Deployment",
  resetFields: { status: ["spec", "metadata.labels"] },
  namespaced: true,
  metadataRechecks: ["change"],
  shortNames: ["deploy"],
  categories: ["all"],
  subresources: [scaleSubresource, statusSubresource],
  storageVersionHash: "8aSe+NMegvE=",
  hasGeneration: true,
  table: deploymentTable,
  rules: deploymentRules,
  warnings: namedTemplateWarnings(["spec", "template"]),
  ...deploymentStrategy,
};
