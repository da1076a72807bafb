import type { JsonObject } from "@gatehouse/envelopes";
import { listAt, objectAt, textAt, valueAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "./table-definition.js";
import { scalarText } from "./text-lists.js";

const configMap: TableDefinition = {
  columns: [nameColumn, column("Data", "string", "Number of entries, text and binary."), ageColumn],
  cells(object, context) {
    const entries = Object.keys(objectAt(object, "data")).length + Object.keys(objectAt(object, "binaryData")).length;
    return [textAt(object, "metadata", "name"), entries, objectAge(object, context)];
  },
};

const secret: TableDefinition = {
  columns: [
    nameColumn,
    column("Type", "string", "What the secret is for."),
    column("Data", "string", "Number of entries."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "type"),
      Object.keys(objectAt(object, "data")).length,
      objectAge(object, context),
    ];
  },
};

const serviceAccount: TableDefinition = {
  columns: [nameColumn, column("Secrets", "string", "Number of secrets that the account refers to."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), listAt(object, "secrets").length, objectAge(object, context)];
  },
};

const resourceQuota: TableDefinition = {
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

/** Configuration, identities and quotas. */
export const coreConfigTables: Readonly<Record<string, TableDefinition>> = {
  ConfigMap: configMap,
  ResourceQuota: resourceQuota,
  Secret: secret,
  ServiceAccount: serviceAccount,
};
