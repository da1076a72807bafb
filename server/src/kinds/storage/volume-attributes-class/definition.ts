import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { volumeAttributesClassColumns } from "./columns.js";
import { volumeAttributesClassValidation } from "./validation.js";

/**
 * The definition of VolumeAttributesClass, attributes of volumes that can be changed later (KEP-3751): alpha, so served
 * only on request.
 */
export const volumeAttributesClassDefinition: KindDefinition = {
  resource: "volumeattributesclasses",
  kind: "VolumeAttributesClass",
  namespaced: false,
  shortNames: ["vac"],
  storageVersionHash: "HPC8kMG1ukQ=",
  servedByDefault: false,
  table: volumeAttributesClassColumns,
  strategy: {
    validation: volumeAttributesClassValidation,
    metadata: { rechecks: "inValidation" },
    deletion: { returnsDeletedObject: true },
  },
};
