import { type KindDefinition, scaleSubresource, statusSubresource } from "@gatehouse/apiserver/registry";
import { deploymentColumns } from "./columns.js";
import { deploymentStrategy } from "./strategy.js";

/** The definition of Deployment, a replaceable set of pods. Its generation counts changes of annotations, too. */
export const deploymentDefinition: KindDefinition = {
  resource: "deployments",
  kind: "Deployment",
  namespaced: true,
  shortNames: ["deploy"],
  categories: ["all"],
  subresources: [
    { ...scaleSubresource, missingAs: { group: "apps", resource: "deployments/scale" } },
    statusSubresource,
  ],
  storageVersionHash: "8aSe+NMegvE=",
  table: deploymentColumns,
  strategy: deploymentStrategy,
};
