import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { configMapTable } from "./columns.js";
import { configMapRules } from "./rules.js";

/** The definition of ConfigMap, settings that are not secret. */
export const configMapRow: ResourceRow = {
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
  shortNames: ["cm"],
  storageVersionHash: "qFsyl6wFWjQ=",
  table: configMapTable,
  metadataRechecks: "inRules",
  rules: configMapRules,
};
