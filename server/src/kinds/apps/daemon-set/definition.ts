import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { templateGenerationAnnotation } from "@gatehouse/envelopes/kind-defaults";
import { daemonSetTable } from "./columns.js";
import { daemonSetRules } from "./rules.js";
import { daemonSetStrategy } from "./strategy.js";

/**
 * The definition of DaemonSet, one pod on each node. Tables and bare metadata leave out the annotation that counts its
 * templates.
 */
export const daemonSetRow: ResourceRow = {
  resource: "daemonsets",
  kind: "DaemonSet",
  namespaced: true,
  metadataRechecks: "inRules",
  shortNames: ["ds"],
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "dd7pWHUlMKQ=",
  hasGeneration: true,
  table: daemonSetTable,
  hiddenAnnotations: [templateGenerationAnnotation],
  rules: daemonSetRules,
  ...daemonSetStrategy,
};
