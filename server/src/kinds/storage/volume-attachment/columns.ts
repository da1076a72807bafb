import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { booleanAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of VolumeAttachment: volume, node, and whether the volume is attached. */
export const volumeAttachmentColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Attacher", "string", "Driver that attaches the volume.", "name"),
    column("PV", "string", "The volume."),
    column("Node", "string", "The node."),
    column("Attached", "boolean", "Whether the volume is attached."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "attacher"),
      textAt(object, "spec", "source", "persistentVolumeName"),
      textAt(object, "spec", "nodeName"),
      booleanAt(object, "status", "attached"),
      objectAge(object, context),
    ];
  },
};
