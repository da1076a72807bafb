import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { conditionOfType, isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of APIService: its service, `Local` for this process, and its availability. */
export const apiServiceColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Service", "string", "Service that serves the API, or Local."),
    column("Available", "string", "Whether the API can be reached."),
    ageColumn,
  ],
  repeatsColumns: true,
  cells(object, context) {
    const service = objectAt(object, "spec", "service");
    return [
      textAt(object, "metadata", "name"),
      isSet(object, "spec", "service") ? `${textAt(service, "namespace")}/${textAt(service, "name")}` : "Local",
      availability(object),
      objectAge(object, context),
    ];
  },
};

function availability(object: JsonObject): string {
  const available = conditionOfType(listAt(object, "status", "conditions"), "Available");
  if (available === undefined) {
    return "Unknown";
  }
  const status = textAt(available, "status");
  const reason = textAt(available, "reason");
  return status === "True" || reason === "" ? status : `${status} (${reason})`;
}
