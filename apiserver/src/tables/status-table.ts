import { textAt } from "@gatehouse/envelopes/json";
import { column, type TableDefinition } from "./table-definition.js";

/** The table of Status, which a request for any kind may be answered with. */
export const statusTable: TableDefinition = {
  columns: [
    column("Status", "string", "Success or Failure."),
    column("Reason", "string", "Machine-readable cause of a failure."),
    column("Message", "string", "What happened, for people."),
  ],
  cells(object) {
    return [textAt(object, "status"), textAt(object, "reason"), textAt(object, "message")];
  },
};
