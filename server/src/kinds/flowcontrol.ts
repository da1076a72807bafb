import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, type ResourceRow, statusSubresource } from "./define-resource.js";

const rows: readonly ResourceRow[] = [
  {
    resource: "flowschemas",
    kind: "FlowSchema",
    namespaced: false,
    subresources: [statusSubresource],
    storageVersionHash: "9NnFrw7ZEmA=",
    hasGeneration: true,
    metadataOnStatusUpdate: "kept",
  },
  {
    resource: "prioritylevelconfigurations",
    kind: "PriorityLevelConfiguration",
    namespaced: false,
    subresources: [statusSubresource],
    storageVersionHash: "+CwSrEWTDhc=",
    hasGeneration: true,
    metadataOnStatusUpdate: "kept",
  },
];

const group = "flowcontrol.apiserver.k8s.io";

/** Priority and fairness; both versions show the same objects, which are stored in the older form. */
export const flowcontrolResources: readonly ResourceDefinition[] = [
  ...defineResources(
    group,
    "v1",
    rows.map((row) => ({ ...row, storage: { version: "v1beta3" } })),
  ),
  ...defineResources(group, "v1beta3", rows),
];
