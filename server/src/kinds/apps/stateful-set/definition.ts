import { type ResourceRow, scaleSubresource, statusSubresource } from "@gatehouse/apiserver/registry";
import { statefulSetTable } from "./columns.js";
import { statefulSetRules } from "./rules.js";
import { statefulSetWarnings } from "./warnings.js";

/** The definition of StatefulSet, whose name must be a DNS label: the names of its pods begin with it. */
export const statefulSetRow: ResourceRow = {
  resource: "statefulsets",
  kind: "StatefulSet",
  namespaced: true,
  metadataRechecks: "inRules",
  shortNames: ["sts"],
  categories: ["all"],
  subresources: [scaleSubresource, statusSubresource],
  storageVersionHash: "H+vl74LkKdo=",
  nameRule: "dnsLabel",
  hasGeneration: true,
  table: statefulSetTable,
  warnings: statefulSetWarnings,
  rules: statefulSetRules,
};
