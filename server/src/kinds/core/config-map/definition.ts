import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { configMapColumns } from "./columns.js";
import { configMapValidation } from "./validation.js";

/** The definition of ConfigMap, settings that are not secret. */
export const configMapDefinition: KindDefinition = {
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
  shortNames: ["cm"],
  storageVersionHash: "qFsyl6wFWjQ=",
  table: configMapColumns,
  strategy: {
    validation: configMapValidation,
    metadata: { rechecks: "inValidation" },
  },
};
