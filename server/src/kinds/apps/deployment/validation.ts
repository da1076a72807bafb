import { type FieldError, fieldError, type JsonObject } from "@gatehouse/envelopes";
import { isSet, textAt } from "../../../objects/json-fields.js";
import { selectorErrors } from "../../workload-selector.js";

/** A deployment finds its own pods, and does not roll what is to be recreated. */
export function validateDeployment(deployment: JsonObject): readonly FieldError[] {
  const isRecreated = textAt(deployment, "spec", "strategy", "type") === "Recreate";
  return [
    ...selectorErrors(deployment, "deployment", "invalid label selector"),
    ...(isRecreated && isSet(deployment, "spec", "strategy", "rollingUpdate")
      ? [fieldError.forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")]
      : []),
  ];
}
