import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { volumeAttachmentTable } from "./columns.js";
import { volumeAttachmentRules } from "./rules.js";

/**
 * The definition of VolumeAttachment, a request to attach a volume to a node. An update of /status leaves the metadata
 * alone.
 */
export const volumeAttachmentRow: ResourceRow = {
  resource: "volumeattachments",
  kind: "VolumeAttachment",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  metadataRechecks: "inRules",
  subresources: [statusSubresource],
  storageVersionHash: "tJx/ezt6UDU=",
  allowUnconditionalUpdate: false,
  metadataOnStatusUpdate: "kept",
  returnsDeletedObject: true,
  table: volumeAttachmentTable,
  rules: volumeAttachmentRules,
};
