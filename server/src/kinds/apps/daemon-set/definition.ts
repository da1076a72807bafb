import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { templateGenerationAnnotation } from "@gatehouse/envelopes/kind-defaults";
import { daemonSetColumns } from "./columns.js";
import { daemonSetStrategy } from "./strategy.js";

/**
 * The definition of DaemonSet, one pod on each node. Tables and bare metadata leave out the annotation that counts its
 * templates.
 */
export const daemonSetDefinition: KindDefinition = {
  resource: "daemonsets",
  kind: "DaemonSet",
  namespaced: true,
  shortNames: ["ds"],
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "dd7pWHUlMKQ=",
  table: daemonSetColumns,
  hiddenAnnotations: [templateGenerationAnnotation],
  strategy: daemonSetStrategy,
};
