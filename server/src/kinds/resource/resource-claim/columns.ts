import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { booleanAt, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes";

/** Claims and their templates share it. */
export const classColumn = column("ResourceClassName", "string", "Class of the resource that is claimed.");

/** Claims and their templates share it. */
export const modeColumn = column("AllocationMode", "string", "When the resource is allocated.");

/** What is claimed, and how far that has got, as `allocated,reserved`. */
export const resourceClaimTable: TableDefinition = {
  columns: [nameColumn, classColumn, modeColumn, column("State", "string", "How far allocation has got."), ageColumn],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "resourceClassName"),
      textAt(object, "spec", "allocationMode"),
      claimState(object),
      objectAge(object, context),
    ];
  },
};

function claimState(object: JsonObject): string {
  const deleted = isSet(object, "metadata", "deletionTimestamp");
  const states = deleted ? ["deleted"] : [];
  if (isSet(object, "status", "allocation")) {
    states.push("allocated");
    if (listAt(object, "status", "reservedFor").length > 0) {
      states.push("reserved");
    } else if (deleted || booleanAt(object, "status", "deallocationRequested")) {
      states.push("deallocating");
    }
  } else if (!deleted) {
    states.push("pending");
  }
  return states.join(",");
}
