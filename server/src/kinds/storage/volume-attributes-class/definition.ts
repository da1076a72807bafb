import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { volumeAttributesClassTable } from "./columns.js";
import { volumeAttributesClassRules } from "./rules.js";

/**
 * The definition of VolumeAttributesClass, attributes of volumes that can be changed later (KEP-3751): alpha, so served
 * only on request.
 */
export const volumeAttributesClassRow: ResourceRow = {
  resource: "volumeattributesclasses",
  kind: "VolumeAttributesClass",
  namespaced: false,
  metadataRechecks: "inRules",
  shortNames: ["vac"],
  storageVersionHash: "HPC8kMG1ukQ=",
  servedByDefault: false,
  returnsDeletedObject: true,
  table: volumeAttributesClassTable,
  rules: volumeAttributesClassRules,
};
