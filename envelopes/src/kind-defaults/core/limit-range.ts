import { type DefaultingFunctions, inPackage } from "../../defaults/defaulting-function.js";
import type { JsonObject } from "../../json/json.js";
import { objectAt, textAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/**
 * Defaults of LimitRange: for containers, a missing default is the maximum, and a missing request is the default, or
 * else the minimum.
 */
export const limitRangeDefaults: DefaultingFunctions = inPackage("k8s.io.api.core.v1", {
  LimitRangeItem(item) {
    if (textAt(item, "type") === "Container") {
      completeLimits(item);
    }
  },
});

/**
 * Fills in a missing default from the maximum, and a missing default request from the default, or else from the
 * minimum.
 */
function completeLimits(item: JsonObject): void {
  addMissing(item, "default", objectAt(item, "max"));
  addMissing(item, "defaultRequest", objectAt(item, "default"));
  addMissing(item, "defaultRequest", objectAt(item, "min"));
}

function addMissing(item: JsonObject, name: string, from: JsonObject): void {
  for (const resource of Object.keys(from)) {
    const amounts = ownObject(item, name);
    if (!Object.hasOwn(amounts, resource)) {
      amounts[resource] = from[resource];
    }
  }
}
