import { type KindDefinition, keepClientMetadata, statusSubresource } from "@gatehouse/apiserver/registry";
import { volumeAttachmentColumns } from "./columns.js";
import { volumeAttachmentValidation } from "./validation.js";

/**
 * The definition of VolumeAttachment, a request to attach a volume to a node. An update of /status leaves the metadata
 * alone.
 */
export const volumeAttachmentDefinition: KindDefinition = {
  resource: "volumeattachments",
  kind: "VolumeAttachment",
  namespaced: false,
  subresources: [statusSubresource],
  storageVersionHash: "tJx/ezt6UDU=",
  table: volumeAttachmentColumns,
  strategy: {
    validation: volumeAttachmentValidation,
    metadata: { rechecks: "inValidation" },
    update: { allowUnconditionalUpdate: false },
    status: { resetFields: ["metadata", "spec"], prepareForUpdate: keepClientMetadata },
    deletion: { returnsDeletedObject: true },
  },
};
