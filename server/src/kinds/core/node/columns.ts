import {
  ageColumn,
  column,
  nameColumn,
  objectAge,
  type TableDefinition,
  wideColumn,
} from "@gatehouse/apiserver/tables";
import { booleanAt, conditionOfType, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

const roleLabelPrefix = "node-role.kubernetes.io/";

const roleLabel = "kubernetes.io/role";

/** Table columns of Node: its readiness and roles, and the facts that its kubelet reports. */
export const nodeColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Status", "string", "Whether the node is ready, and whether pods are scheduled to it."),
    column("Roles", "string", "Roles that the labels of the node give it."),
    ageColumn,
    column("Version", "string", "Version of the kubelet on the node."),
    wideColumn("Internal-IP", "string", "First address of the node inside the cluster."),
    wideColumn("External-IP", "string", "First address of the node outside the cluster."),
    wideColumn("OS-Image", "string", "Operating system, as the node reports it."),
    wideColumn("Kernel-Version", "string", "Kernel version, as the node reports it."),
    wideColumn("Container-Runtime", "string", "Container runtime and its version, as the node reports it."),
  ],
  cells(object, context) {
    const info = objectAt(object, "status", "nodeInfo");
    return [
      textAt(object, "metadata", "name"),
      nodeStatus(object),
      nodeRoles(object) || "<none>",
      objectAge(object, context),
      textAt(info, "kubeletVersion"),
      nodeAddress(object, "InternalIP"),
      nodeAddress(object, "ExternalIP"),
      textAt(info, "osImage") || "<unknown>",
      textAt(info, "kernelVersion") || "<unknown>",
      textAt(info, "containerRuntimeVersion") || "<unknown>",
    ];
  },
};

function nodeStatus(object: JsonObject): string {
  const ready = listAt(object, "status", "conditions").findLast((condition) => textAt(condition, "type") === "Ready");
  const status = ready === undefined ? "Unknown" : textAt(ready, "status") === "True" ? "Ready" : "NotReady";
  return booleanAt(object, "spec", "unschedulable") ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(object: JsonObject): string {
  const labels = objectAt(object, "metadata", "labels");
  const roles = new Set<string>();
  for (const key of Object.keys(labels)) {
    if (key.startsWith(roleLabelPrefix)) {
      roles.add(key.slice(roleLabelPrefix.length));
    } else if (key === roleLabel) {
      roles.add(textAt(labels, key));
    }
  }
  roles.delete("");
  return [...roles].sort().join(",");
}

function nodeAddress(object: JsonObject, type: string): string {
  const address = conditionOfType(listAt(object, "status", "addresses"), type);
  return address === undefined ? "<none>" : textAt(address, "address");
}
