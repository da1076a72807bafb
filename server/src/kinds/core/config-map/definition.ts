import type { ResourceRow } from "../../define-resource.js";
import { configMapTable } from "./columns.js";

/** Settings that are no secret. All generic rules hold. */
export const configMapRow: ResourceRow = {
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
  shortNames: ["cm"],
  storageVersionHash: "qFsyl6wFWjQ=",
  table: configMapTable,
};
