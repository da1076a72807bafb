import {
  ageColumn,
  column,
  nameColumn,
  objectAge,
  type TableDefinition,
  type TableRowCondition,
  wideColumn,
} from "@gatehouse/apiserver/tables";
import { conditionOfType, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { podStatusSummary } from "./pod-status.js";

/**
 * Table columns of Pod: the state of its containers in one word. Completed pods are marked, for clients that hide them.
 */
export const podColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Ready", "string", "Containers that are ready, of all containers of the pod."),
    column("Status", "string", "What the pod as a whole is doing, summed up from its containers."),
    column("Restarts", "string", "Restarts of the containers, with the time since the last one."),
    ageColumn,
    wideColumn("IP", "string", "First address of the pod; empty until one is assigned."),
    wideColumn("Node", "string", "Node on which the pod runs or is to run."),
    wideColumn("Nominated Node", "string", "Node on which lower-priority pods are being evicted to make room."),
    wideColumn("Readiness Gates", "string", "Readiness gates that are met, of all that the pod declares."),
  ],
  cells(object, context) {
    const summary = podStatusSummary(object, context);
    return [
      textAt(object, "metadata", "name"),
      summary.ready,
      summary.status,
      summary.restarts,
      objectAge(object, context),
      textAt(listAt(object, "status", "podIPs")[0], "ip") || "<none>",
      textAt(object, "spec", "nodeName") || "<none>",
      textAt(object, "status", "nominatedNodeName") || "<none>",
      readinessGates(object),
    ];
  },
  conditions(object) {
    switch (textAt(object, "status", "phase")) {
      case "Succeeded":
        return succeededConditions;
      case "Failed":
        return failedConditions;
      default:
        return undefined;
    }
  },
};

const succeededConditions: readonly TableRowCondition[] = [
  { type: "Completed", status: "True", reason: "Succeeded", message: "The pod has completed successfully." },
];

const failedConditions: readonly TableRowCondition[] = [
  { type: "Completed", status: "True", reason: "Failed", message: "The pod failed." },
];

function readinessGates(object: JsonObject): string {
  const gates = listAt(object, "spec", "readinessGates");
  if (gates.length === 0) {
    return "<none>";
  }
  const conditions = listAt(object, "status", "conditions");
  const met = gates.filter(
    (gate) => textAt(conditionOfType(conditions, textAt(gate, "conditionType")), "status") === "True",
  );
  return `${met.length}/${gates.length}`;
}
