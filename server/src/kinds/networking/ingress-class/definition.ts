import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { ingressClassTable } from "./columns.js";
import { ingressClassRules } from "./rules.js";

/** The definition of IngressClass, whose controller serves ingresses. All generic rules hold. */
export const ingressClassRow: ResourceRow = {
  resource: "ingressclasses",
  kind: "IngressClass",
  namespaced: false,
  metadataRechecks: "inRules",
  storageVersionHash: "l/iqIbDgFyQ=",
  hasGeneration: true,
  table: ingressClassTable,
  rules: ingressClassRules,
};
