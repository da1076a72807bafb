import { type FieldError, fieldError, type JsonObject } from "@gatehouse/envelopes";
import { isSameState } from "../../../objects/is-same-state.js";
import { objectAt } from "../../../objects/json-fields.js";
import { selectorErrors } from "../../workload-selector.js";

/** Members of the spec that may change, in the order in which the error names them. */
const mutableMembers: readonly string[] = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

/** A stateful set finds its own pods. */
export function validateStatefulSet(statefulSet: JsonObject): readonly FieldError[] {
  return selectorErrors(statefulSet, "statefulset", "");
}

/** What gives pods and claims their names stays as it is. */
export function validateStatefulSetUpdate(statefulSet: JsonObject, old: JsonObject): readonly FieldError[] {
  if (isSameState(immutablePart(statefulSet), immutablePart(old))) {
    return [];
  }
  const quoted = mutableMembers.map((name) => `'${name}'`);
  const names = `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
  return [fieldError.forbidden("spec", `updates to statefulset spec for fields other than ${names} are forbidden`)];
}

function immutablePart(statefulSet: JsonObject): JsonObject {
  const entries = Object.entries(objectAt(statefulSet, "spec"));
  return Object.fromEntries(entries.filter(([name]) => !mutableMembers.includes(name)));
}
