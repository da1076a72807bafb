import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { objectAt } from "../../../objects/json-fields.js";
import { metaOf } from "../../../objects/object-meta.js";

/** CSIDriver got its generation late: it counts changes, but new objects have none. */
function startWithoutGeneration(driver: JsonObject): void {
  delete metaOf(driver).generation;
}

/** The storage capacity can change, too, but is not counted. */
function countedMembers(driver: JsonObject): JsonObject {
  const { tokenRequests = null, requiresRepublish = null, seLinuxMount = null } = objectAt(driver, "spec");
  return { tokenRequests, requiresRepublish, seLinuxMount };
}

/** New objects have no generation, although some changes are counted. */
export const csiDriverStrategy: ResourceStrategy = {
  prepareForCreate: startWithoutGeneration,
  desiredState: countedMembers,
};
