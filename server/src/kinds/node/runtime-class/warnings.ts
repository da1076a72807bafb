import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { deprecatedKeys } from "../../core/node/deprecated-labels.js";

/** Returns the warnings about a runtime class. */
export function runtimeClassWarnings(runtimeClass: JsonObject): readonly string[] {
  return deprecatedKeys(objectAt(runtimeClass, "scheduling", "nodeSelector"), () => "scheduling.nodeSelector");
}
