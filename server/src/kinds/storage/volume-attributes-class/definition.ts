import type { ResourceRow } from "../../define-resource.js";
import { volumeAttributesClassTable } from "./columns.js";

export const volumeAttributesClassRow: ResourceRow = {
  resource: "volumeattributesclasses",
  kind: "VolumeAttributesClass",
  namespaced: false,
  shortNames: ["vac"],
  storageVersionHash: "HPC8kMG1ukQ=",
  servedByDefault: false,
  returnsDeletedObject: true,
  table: volumeAttributesClassTable,
};
