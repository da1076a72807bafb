import { textAt, valueAt } from "../../../objects/json-fields.js";
import { column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";
import { scalarText } from "../../../tables/text-lists.js";

export const csiStorageCapacityTable: TableDefinition = {
  columns: [
    nameColumn,
    column("StorageClassName", "string", "Storage class that the capacity is for."),
    column("Capacity", "string", "Size that is still free."),
  ],
  cells(object) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "storageClassName"),
      scalarText(valueAt(object, "capacity"), "<unset>"),
    ];
  },
};
