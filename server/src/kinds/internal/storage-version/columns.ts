import { listAt, textAt, valueAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";
import { firstN, scalarText } from "../../../tables/text-lists.js";

/** Table columns of StorageVersion: the version in which each server stores the resource, and the common one. */
export const storageVersionTable: TableDefinition = {
  columns: [
    nameColumn,
    column("CommonEncodingVersion", "string", "Version in which all servers store the resource."),
    column("StorageVersions", "string", "Version in which each server stores the resource."),
    ageColumn,
  ],
  cells(object, context) {
    const versions = listAt(object, "status", "storageVersions").map(
      (version) => `${textAt(version, "apiServerID")}=${textAt(version, "encodingVersion")}`,
    );
    return [
      textAt(object, "metadata", "name"),
      scalarText(valueAt(object, "status", "commonEncodingVersion"), "<unset>"),
      firstN(3, versions) || "<unset>",
      objectAge(object, context),
    ];
  },
};
