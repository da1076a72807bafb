import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { csiNodeTable } from "./columns.js";
import { csiNodeRules } from "./rules.js";

/** The definition of CSINode, the drivers of a node. An update must name the version it replaces. */
export const csiNodeRow: ResourceRow = {
  resource: "csinodes",
  kind: "CSINode",
  namespaced: false,
  metadataRechecks: "inRules",
  storageVersionHash: "Pe62DkZtjuo=",
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  table: csiNodeTable,
  rules: csiNodeRules,
};
