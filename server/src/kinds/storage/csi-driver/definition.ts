import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { csiDriverTable } from "./columns.js";
import { csiDriverRules } from "./rules.js";
import { csiDriverStrategy } from "./strategy.js";

/** The definition of CSIDriver, the treatment of a driver's volumes. Its name is the driver's. */
export const csiDriverRow: ResourceRow = {
  resource: "csidrivers",
  kind: "CSIDriver",
  namespaced: false,
  metadataRechecks: ["change"],
  storageVersionHash: "hL6j/rwBV5w=",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  firstGeneration: "asSent",
  returnsDeletedObject: true,
  table: csiDriverTable,
  rules: csiDriverRules,
  ...csiDriverStrategy,
};
