import type { JsonObject } from "@gatehouse/envelopes";
import { booleanAt, isSet, listAt, textAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "./table-definition.js";

const classColumn = column("ResourceClassName", "string", "Class of the resource that is claimed.");
const modeColumn = column("AllocationMode", "string", "When the resource is allocated.");

const resourceClaim: TableDefinition = {
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

const resourceClaimTemplate: TableDefinition = {
  columns: [nameColumn, classColumn, modeColumn, ageColumn],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "spec", "resourceClassName"),
      textAt(object, "spec", "spec", "allocationMode"),
      objectAge(object, context),
    ];
  },
};

const resourceClass: TableDefinition = {
  columns: [nameColumn, column("DriverName", "string", "Driver that allocates resources of the class."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "driverName"), objectAge(object, context)];
  },
};

const podSchedulingContext: TableDefinition = {
  columns: [nameColumn, column("SelectedNode", "string", "Node that the scheduler tries for the pod."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "spec", "selectedNode"), objectAge(object, context)];
  },
};

/** Dynamic resource allocation. */
export const resourceTables: Readonly<Record<string, TableDefinition>> = {
  PodSchedulingContext: podSchedulingContext,
  ResourceClaim: resourceClaim,
  ResourceClaimTemplate: resourceClaimTemplate,
  ResourceClass: resourceClass,
};
