import {
  ageColumn,
  column,
  firstN,
  nameColumn,
  objectAge,
  scalarText,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { listAt, textAt, valueAt } from "@gatehouse/envelopes/json";

/** Table columns of StorageVersion: the version in which each server stores the resource, and the common one. */
export const storageVersionColumns: TableDefinition = {
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
