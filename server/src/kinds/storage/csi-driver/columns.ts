import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { booleanAt, isSet, listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of CSIDriver: its requirements and the volumes it supports. */
export const csiDriverColumns: TableDefinition = {
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
