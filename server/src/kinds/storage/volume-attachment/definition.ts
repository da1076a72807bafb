import { type ResourceRow, statusSubresource } from "../../define-resource.js";
import { volumeAttachmentTable } from "./columns.js";

export const volumeAttachmentRow: ResourceRow = {
  resource: "volumeattachments",
  kind: "VolumeAttachment",
  namespaced: false,
  subresources: [statusSubresource],
  storageVersionHash: "tJx/ezt6UDU=",
  allowUnconditionalUpdate: false,
  metadataOnStatusUpdate: "kept",
  returnsDeletedObject: true,
  table: volumeAttachmentTable,
};
