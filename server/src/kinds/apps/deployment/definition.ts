import { type KindDefinition, scaleSubresource, statusSubresource } from "@gatehouse/apiserver/registry";
import { namedTemplateWarnings } from "../../workload-warnings.js";
import { deploymentColumns } from "./columns.js";
import { deploymentStrategy } from "./strategy.js";
import { deploymentValidation } from "./validation.js";

/** The definition of Deployment, a replaceable set of pods. Its generation counts changes of annotations, too. */
export const deploymentDefinition: KindDefinition = {
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
  table: deploymentColumns,
  validation: deploymentValidation,
  warnings: namedTemplateWarnings(["spec", "template"]),
  ...deploymentStrategy,
};
