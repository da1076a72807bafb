import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { csiDriverColumns } from "./columns.js";
import { csiDriverStrategy } from "./strategy.js";

/** The definition of CSIDriver, the treatment of a driver's volumes. Its name is the driver's. */
export const csiDriverDefinition: KindDefinition = {
  resource: "csidrivers",
  kind: "CSIDriver",
  namespaced: false,
  storageVersionHash: "hL6j/rwBV5w=",
  table: csiDriverColumns,
  strategy: csiDriverStrategy,
};
