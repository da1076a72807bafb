import {
  ageColumn,
  column,
  nameColumn,
  objectAge,
  scalarText,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { type JsonObject, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";

/** Table columns of ResourceQuota: used and allowed amounts, with requests and limits in separate columns. */
export const resourceQuotaColumns: TableDefinition = {
  columns: [
    nameColumn,
    ageColumn,
    column("Request", "string", "Used and allowed amounts of requests and object counts."),
    column("Limit", "string", "Used and allowed amounts of limits."),
  ],
  cells(object, context) {
    const names = Object.keys(objectAt(object, "status", "hard")).sort();
    return [
      textAt(object, "metadata", "name"),
      objectAge(object, context),
      quotaTexts(
        object,
        names.filter((name) => !name.startsWith("limits.")),
      ),
      quotaTexts(
        object,
        names.filter((name) => name.startsWith("limits.")),
      ),
    ];
  },
};

function quotaTexts(object: JsonObject, names: readonly string[]): string {
  return names
    .map((name) => {
      const used = scalarText(valueAt(object, "status", "used", name), "0");
      return `${name}: ${used}/${scalarText(valueAt(object, "status", "hard", name), "0")}`;
    })
    .join(", ");
}
