import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes/json";

/** Table columns of PodSchedulingContext: the node that the scheduler tries. */
export const podSchedulingContextColumns: TableDefinition = {
  columns: [nameColumn, column("SelectedNode", "string", "Node that the scheduler tries for the pod."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "spec", "selectedNode"), objectAge(object, context)];
  },
};
