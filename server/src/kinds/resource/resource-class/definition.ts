import type { ResourceRow } from "../../define-resource.js";
import { resourceClassTable } from "./columns.js";

export const resourceClassRow: ResourceRow = {
  resource: "resourceclasses",
  kind: "ResourceClass",
  namespaced: false,
  storageVersionHash: "wkt0Tpte++U=",
  servedByDefault: false,
  returnsDeletedObject: true,
  table: resourceClassTable,
};
