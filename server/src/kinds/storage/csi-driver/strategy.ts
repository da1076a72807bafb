import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { metaOf } from "../../../objects/object-meta.js";

/** CSIDriver got its generation late: it counts changes, but new objects have none. */
function startWithoutGeneration(driver: JsonObject): void {
  delete metaOf(driver).generation;
}

/** New objects have no generation, although some changes are counted. */
export const csiDriverStrategy: ResourceStrategy = {
  prepareForCreate: startWithoutGeneration,
  // The storage capacity can change, too, but is not counted.
  desiredState: ["spec.tokenRequests", "spec.requiresRepublish", "spec.seLinuxMount"],
};
