import { textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

/** Table columns of PodSchedulingContext: the node that the scheduler tries. */
export const podSchedulingContextTable: TableDefinition = {
  columns: [nameColumn, column("SelectedNode", "string", "Node that the scheduler tries for the pod."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "spec", "selectedNode"), objectAge(object, context)];
  },
};
