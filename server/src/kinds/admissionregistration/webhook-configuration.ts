import { listAt, textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../tables/table-definition.js";

/** Table columns of both kinds of webhook configurations: the number of their webhooks. */
export const webhookConfigurationTable: TableDefinition = {
  columns: [nameColumn, column("Webhooks", "integer", "Number of webhooks."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), listAt(object, "webhooks").length, objectAge(object, context)];
  },
};
