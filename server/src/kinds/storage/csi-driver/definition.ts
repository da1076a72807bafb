import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { csiDriverColumns } from "./columns.js";
import { csiDriverStrategy } from "./strategy.js";
import { csiDriverValidation } from "./validation.js";

/** The definition of CSIDriver, the treatment of a driver's volumes. Its name is the driver's. */
export const csiDriverDefinition: KindDefinition = {
  resource: "csidrivers",
  kind: "CSIDriver",
  namespaced: false,
  metadataRechecks: ["change"],
  storageVersionHash: "hL6j/rwBV5w=",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  firstGeneration: "asSent",
  returnsDeletedObject: true,
  table: csiDriverColumns,
  validation: csiDriverValidation,
  ...csiDriverStrategy,
};
