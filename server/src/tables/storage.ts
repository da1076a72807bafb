import type { JsonObject } from "@gatehouse/envelopes";
import { booleanAt, isSet, listAt, textAt, valueAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "./table-definition.js";
import { scalarText } from "./text-lists.js";

const storageClass: TableDefinition = {
  columns: [
    nameColumn,
    column("Provisioner", "string", "Who makes volumes of the class."),
    column("ReclaimPolicy", "string", "What happens to volumes of the class when their claims are gone."),
    column("VolumeBindingMode", "string", "When volumes are made and bound."),
    column("AllowVolumeExpansion", "string", "Whether volumes of the class can grow."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      nameAndDefault(object, [
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
      ]),
      textAt(object, "provisioner"),
      scalarText(valueAt(object, "reclaimPolicy"), "Delete"),
      scalarText(valueAt(object, "volumeBindingMode"), "Immediate"),
      booleanAt(object, "allowVolumeExpansion"),
      objectAge(object, context),
    ];
  },
};

const volumeAttributesClass: TableDefinition = {
  columns: [nameColumn, column("DriverName", "string", "Driver whose volumes the class is for."), ageColumn],
  cells(object, context) {
    return [
      nameAndDefault(object, ["volumeattributesclass.alpha.kubernetes.io/is-default-class"]),
      textAt(object, "driverName"),
      objectAge(object, context),
    ];
  },
};

function nameAndDefault(object: JsonObject, annotations: readonly string[]): string {
  const isDefault = annotations.some((annotation) => textAt(object, "metadata", "annotations", annotation) === "true");
  return isDefault ? `${textAt(object, "metadata", "name")} (default)` : textAt(object, "metadata", "name");
}

const csiDriver: TableDefinition = {
  columns: [
    nameColumn,
    column("AttachRequired", "boolean", "Whether volumes are attached to a node before they are mounted."),
    column("PodInfoOnMount", "boolean", "Whether the driver is told about the pod when it mounts."),
    column("StorageCapacity", "boolean", "Whether pods are scheduled by the capacity that the driver reports."),
    column("TokenRequests", "string", "Audiences of the service account tokens that the driver gets."),
    column("RequiresRepublish", "boolean", "Whether mounts are refreshed from time to time."),
    column("Modes", "string", "Volume life cycles that the driver supports."),
    ageColumn,
  ],
  cells(object, context) {
    const tokenRequests = listAt(object, "spec", "tokenRequests");
    return [
      textAt(object, "metadata", "name"),
      isSet(object, "spec", "attachRequired") ? booleanAt(object, "spec", "attachRequired") : true,
      booleanAt(object, "spec", "podInfoOnMount"),
      booleanAt(object, "spec", "storageCapacity"),
      tokenRequests.length === 0 ? "<unset>" : tokenRequests.map((request) => textAt(request, "audience")).join(","),
      booleanAt(object, "spec", "requiresRepublish"),
      listAt(object, "spec", "volumeLifecycleModes").map(String).join(",") || "<none>",
      objectAge(object, context),
    ];
  },
};

const csiNode: TableDefinition = {
  columns: [nameColumn, column("Drivers", "integer", "Number of drivers on the node."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), listAt(object, "spec", "drivers").length, objectAge(object, context)];
  },
};

const csiStorageCapacity: TableDefinition = {
  columns: [
    nameColumn,
    column("StorageClassName", "string", "Storage class that the capacity is for."),
    column("Capacity", "string", "Size that is still free."),
  ],
  cells(object) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "storageClassName"),
      scalarText(valueAt(object, "capacity"), "<unset>"),
    ];
  },
};

const volumeAttachment: TableDefinition = {
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

export const storageTables: Readonly<Record<string, TableDefinition>> = {
  CSIDriver: csiDriver,
  CSINode: csiNode,
  CSIStorageCapacity: csiStorageCapacity,
  StorageClass: storageClass,
  VolumeAttachment: volumeAttachment,
  VolumeAttributesClass: volumeAttributesClass,
};
