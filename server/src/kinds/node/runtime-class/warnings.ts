import type { JsonObject } from "@gatehouse/envelopes";
import { objectAt } from "../../../objects/json-fields.js";
import { deprecatedKeys } from "../../core/node/deprecated-labels.js";

/** What is said about a runtime class. */
export function runtimeClassWarnings(runtimeClass: JsonObject): readonly string[] {
  return deprecatedKeys(objectAt(runtimeClass, "scheduling", "nodeSelector"), () => "scheduling.nodeSelector");
}
