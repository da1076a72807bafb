import type { ResourceRow } from "../../define-resource.js";
import { csiNodeTable } from "./columns.js";

export const csiNodeRow: ResourceRow = {
  resource: "csinodes",
  kind: "CSINode",
  namespaced: false,
  storageVersionHash: "Pe62DkZtjuo=",
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  table: csiNodeTable,
};
