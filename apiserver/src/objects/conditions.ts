import { conditionOfType, isJsonObject, type JsonObject, ownList, ownObject } from "@gatehouse/envelopes/json";

/** A condition of a status, without its times. */
export interface Condition extends JsonObject {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
}

/**
 * Sets the condition of that type in the object's status, in its place when there is one. `now` is when it changes; that
 * time moves only with the status.
 */
export function setCondition(object: JsonObject, condition: Condition, now: string): void {
  const conditions = ownList(ownObject(object, "status"), "conditions");
  const known = conditionOfType(conditions, condition.type);
  const lastTransitionTime = known?.["status"] === condition.status ? (known["lastTransitionTime"] ?? now) : now;
  const next = { ...condition, lastTransitionTime };
  if (known === undefined) {
    conditions.push(next);
  } else {
    conditions[conditions.indexOf(known)] = next;
  }
}

/** Reports whether the object's status has the condition with status `True`. */
export function isConditionTrue(object: JsonObject, type: string): boolean {
  const status = object["status"];
  const conditions = isJsonObject(status) && Array.isArray(status["conditions"]) ? status["conditions"] : [];
  return conditionOfType(conditions, type)?.["status"] === "True";
}
