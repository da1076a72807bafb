import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of both kinds of webhook configurations: the number of their webhooks. */
export const webhookConfigurationTable: TableDefinition = {
  columns: [nameColumn, column("Webhooks", "integer", "Number of webhooks."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), listAt(object, "webhooks").length, objectAge(object, context)];
  },
};
