import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { resourceClassTable } from "./columns.js";
import { resourceClassRules } from "./rules.js";

/** The definition of ResourceClass, whose driver allocates resources (KEP-3063): alpha, so served only on request. */
export const resourceClassRow: ResourceRow = {
  resource: "resourceclasses",
  kind: "ResourceClass",
  namespaced: false,
  metadataRechecks: "inRules",
  storageVersionHash: "wkt0Tpte++U=",
  servedByDefault: false,
  returnsDeletedObject: true,
  table: resourceClassTable,
  rules: resourceClassRules,
};
