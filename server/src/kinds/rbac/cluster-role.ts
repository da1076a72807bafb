import type { ResourceRow } from "../define-resource.js";

export const clusterRoleRow: ResourceRow = {
  resource: "clusterroles",
  kind: "ClusterRole",
  namespaced: false,
  storageVersionHash: "bYE5ZWDrJ44=",
  nameRule: "pathSegment",
  allowCreateOnUpdate: true,
};
