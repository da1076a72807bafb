import { type ResourceRow, statusSubresource } from "../../define-resource.js";
import { apiServiceTable } from "./columns.js";
import { apiServiceStrategy } from "./strategy.js";

export const apiServiceRow: ResourceRow = {
  resource: "apiservices",
  kind: "APIService",
  namespaced: false,
  categories: ["api-extensions"],
  subresources: [statusSubresource],
  storage: { prefix: "apiregistration.k8s.io/apiservices" },
  storageVersionHash: "InPBPD7+PqM=",
  nameRule: "pathSegment",
  allowUnconditionalUpdate: false,
  metadataOnStatusUpdate: "kept",
  table: apiServiceTable,
  ...apiServiceStrategy,
};
