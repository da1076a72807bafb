import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { apiServiceTable } from "./columns.js";
import { apiServiceRules } from "./rules.js";
import { apiServiceStrategy } from "./strategy.js";

/** The definition of APIService, named `<version>.<group>` and stored where kube-aggregator keeps them. */
export const apiServiceRow: ResourceRow = {
  resource: "apiservices",
  kind: "APIService",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  finalizerRule: "any",
  categories: ["api-extensions"],
  subresources: [statusSubresource],
  storage: { prefix: "apiregistration.k8s.io/apiservices" },
  storageVersionHash: "InPBPD7+PqM=",
  nameRule: "pathSegment",
  allowUnconditionalUpdate: false,
  metadataOnStatusUpdate: "kept",
  table: apiServiceTable,
  rules: apiServiceRules,
  ...apiServiceStrategy,
};
