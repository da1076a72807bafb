import type { FieldError, JsonObject } from "@gatehouse/envelopes";
import { objectAt } from "../../../objects/json-fields.js";
import { mismatchedLabels, selects, templateLabels } from "../../workload-selector.js";

/** A controller finds its own pods. Its selector is no more than labels; that it is there, the schema checks. */
export function validateReplicationController(controller: JsonObject): readonly FieldError[] {
  const labels = templateLabels(controller);
  return selects({ matchLabels: objectAt(controller, "spec", "selector") }, labels) === false
    ? [mismatchedLabels(labels)]
    : [];
}
