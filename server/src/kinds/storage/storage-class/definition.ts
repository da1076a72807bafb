import type { ResourceRow } from "../../define-resource.js";
import { storageClassTable } from "./columns.js";
import { storageClassWarnings } from "./warnings.js";

export const storageClassRow: ResourceRow = {
  resource: "storageclasses",
  kind: "StorageClass",
  namespaced: false,
  shortNames: ["sc"],
  storageVersionHash: "K+m6uJwbjGY=",
  returnsDeletedObject: true,
  table: storageClassTable,
  warnings: storageClassWarnings,
};
