import type { ResourceRow } from "../../define-resource.js";
import { csiDriverTable } from "./columns.js";
import { csiDriverDefaults } from "./defaults.js";
import { csiDriverStrategy } from "./strategy.js";

/** How volumes of a driver are treated. Its name, which is the driver's, may be anything that fits into a path. */
export const csiDriverRow: ResourceRow = {
  resource: "csidrivers",
  kind: "CSIDriver",
  namespaced: false,
  metadataRechecks: ["change"],
  storageVersionHash: "hL6j/rwBV5w=",
  nameRule: "pathSegment",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  returnsDeletedObject: true,
  table: csiDriverTable,
  defaultingRules: csiDriverDefaults,
  ...csiDriverStrategy,
};
