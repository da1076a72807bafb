import { type ResourceRow, statusSubresource } from "../../define-resource.js";
import { storageVersionTable } from "./columns.js";

export const storageVersionRow: ResourceRow = {
  resource: "storageversions",
  kind: "StorageVersion",
  namespaced: false,
  subresources: [statusSubresource],
  storageVersionHash: "c8YZt5U0nPk=",
  servedByDefault: false,
  nameRule: "pathSegment",
  allowUnconditionalUpdate: false,
  metadataOnStatusUpdate: "kept",
  table: storageVersionTable,
};
