import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { volumeAttachmentTable } from "./columns.js";
import { volumeAttachmentRules } from "./rules.js";

/** What asks a driver to attach a volume. An update of /status leaves the metadata alone. */
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
