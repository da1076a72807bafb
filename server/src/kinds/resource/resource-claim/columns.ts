import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { booleanAt, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** Column of the resource class, for claims and their templates. */
export const classColumn = column("ResourceClassName", "string", "Class of the resource that is claimed.");

/** Column of the allocation mode, for claims and their templates. */
export const modeColumn = column("AllocationMode", "string", "When the resource is allocated.");

/** Table columns of ResourceClaim: the class and the state of the allocation, as `allocated,reserved`. */
export const resourceClaimColumns: TableDefinition = {
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
