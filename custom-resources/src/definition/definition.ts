import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { customResourceDefinitionRules } from "./rules.js";
import { customResourceDefinitionStrategy } from "./strategy.js";

/**
 * The definition of CustomResourceDefinition, stored where apiextensions-apiserver keeps them. No columns but name and
 * creation time.
 */
export const customResourceDefinitionRow: ResourceRow = {
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  finalizerRule: "any",
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  subresources: [statusSubresource],
  storage: { prefix: "apiextensions.k8s.io/customresourcedefinitions" },
  storageVersionHash: "jfWCUB31mvA=",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  rules: customResourceDefinitionRules,
  metadataRechecks: ["change"],
  ...customResourceDefinitionStrategy,
};
