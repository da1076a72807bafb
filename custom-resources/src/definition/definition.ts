import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { customResourceDefinitionStrategy } from "./strategy.js";

/**
 * The definition of CustomResourceDefinition, stored where apiextensions-apiserver keeps them. No columns but name and
 * creation time.
 */
export const customResourceDefinitionDefinition: KindDefinition = {
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  subresources: [{ ...statusSubresource, hasNoTable: true }],
  storage: { prefix: "apiextensions.k8s.io/customresourcedefinitions" },
  storageVersionHash: "jfWCUB31mvA=",
  strategy: customResourceDefinitionStrategy,
};
