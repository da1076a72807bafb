import { column, nameColumn, type TableDefinition } from "@gatehouse/apiserver/tables";
import { conditionOfType, listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of ComponentStatus: its health, and the answer or error. */
export const componentStatusColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Status", "string", "Whether the component is healthy."),
    column("Message", "string", "What the component says about its health."),
    column("Error", "string", "Error met while asking the component."),
  ],
  cells(object) {
    const healthy = conditionOfType(listAt(object, "conditions"), "Healthy");
    const status = healthy === undefined ? "Unknown" : textAt(healthy, "status") === "True" ? "Healthy" : "Unhealthy";
    return [textAt(object, "metadata", "name"), status, textAt(healthy, "message"), textAt(healthy, "error")];
  },
};
