import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { storageClassTable } from "./columns.js";
import { storageClassRules } from "./rules.js";
import { storageClassWarnings } from "./warnings.js";

/** The definition of StorageClass, from which volumes are made. A deletion answers with the class. */
export const storageClassRow: ResourceRow = {
  resource: "storageclasses",
  kind: "StorageClass",
  namespaced: false,
  metadataRechecks: "inRules",
  shortNames: ["sc"],
  storageVersionHash: "K+m6uJwbjGY=",
  returnsDeletedObject: true,
  table: storageClassTable,
  warnings: storageClassWarnings,
  rules: storageClassRules,
};
