import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { volumeAttachmentColumns } from "./columns.js";
import { volumeAttachmentValidation } from "./validation.js";

/**
 * The definition of VolumeAttachment, a request to attach a volume to a node. An update of /status leaves the metadata
 * alone.
 */
export const volumeAttachmentDefinition: KindDefinition = {
  resource: "volumeattachments",
  kind: "VolumeAttachment",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  metadataRechecks: "inValidation",
  subresources: [statusSubresource],
  storageVersionHash: "tJx/ezt6UDU=",
  allowUnconditionalUpdate: false,
  metadataOnStatusUpdate: "kept",
  returnsDeletedObject: true,
  table: volumeAttachmentColumns,
  validation: volumeAttachmentValidation,
};
