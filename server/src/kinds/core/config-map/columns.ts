import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of ConfigMap: the number of its entries, text and binary together. */
export const configMapColumns: TableDefinition = {
  columns: [nameColumn, column("Data", "string", "Number of entries, text and binary."), ageColumn],
  cells(object, context) {
    const entries = Object.keys(objectAt(object, "data")).length + Object.keys(objectAt(object, "binaryData")).length;
    return [textAt(object, "metadata", "name"), entries, objectAge(object, context)];
  },
};
