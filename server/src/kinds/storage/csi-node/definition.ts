import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { csiNodeColumns } from "./columns.js";
import { csiNodeValidation } from "./validation.js";

/** The definition of CSINode, the drivers of a node. An update must name the version it replaces. */
export const csiNodeDefinition: KindDefinition = {
  resource: "csinodes",
  kind: "CSINode",
  namespaced: false,
  storageVersionHash: "Pe62DkZtjuo=",
  table: csiNodeColumns,
  strategy: {
    validation: csiNodeValidation,
    metadata: { rechecks: "inValidation" },
    update: { allowUnconditionalUpdate: false },
    deletion: { returnsDeletedObject: true },
  },
};
