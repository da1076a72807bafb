import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { csiNodeColumns } from "./columns.js";
import { csiNodeValidation } from "./validation.js";

/** The definition of CSINode, the drivers of a node. An update must name the version it replaces. */
export const csiNodeDefinition: KindDefinition = {
  resource: "csinodes",
  kind: "CSINode",
  namespaced: false,
  metadataRechecks: "inValidation",
  storageVersionHash: "Pe62DkZtjuo=",
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  table: csiNodeColumns,
  validation: csiNodeValidation,
};
