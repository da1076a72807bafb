import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../catalogue/resource-definition.js";
import { booleanAt, conditionOfType, isSet, listAt, textAt } from "../objects/json-fields.js";
import { timestamp } from "../objects/object-meta.js";
import { ownList, ownObject } from "../objects/own-members.js";

/** A definition notes every version that objects may have been stored in. */
export const customResourceDefinitionStrategy: ResourceStrategy = {
  prepareForCreate(definition) {
    noteStoredVersion(definition);
  },
  prepareForUpdate(definition) {
    noteStoredVersion(definition);
  },
};

function noteStoredVersion(definition: JsonObject): void {
  const stored = listAt(definition, "spec", "versions").find((version) => booleanAt(version, "storage"));
  const name = textAt(stored, "name");
  if (name === "") {
    return;
  }
  const storedVersions = ownList(ownObject(definition, "status"), "storedVersions");
  if (!storedVersions.includes(name)) {
    storedVersions.push(name);
  }
}

/** Services of this process are always available. */
export const apiServiceStrategy: ResourceStrategy = {
  prepareForCreate(apiService, context) {
    if (!isSet(apiService, "spec", "service")) {
      setCondition(apiService, {
        type: "Available",
        status: "True",
        lastTransitionTime: timestamp(context.nowMs),
        reason: "Local",
        message: "Local APIServices are always available",
      });
    }
  },
};

/** Sets the condition of that type; the transition time moves only with the status. */
function setCondition(object: JsonObject, condition: JsonObject): void {
  const conditions = ownList(ownObject(object, "status"), "conditions");
  const existing = conditionOfType(conditions, textAt(condition, "type"));
  if (existing === undefined) {
    conditions.push(condition);
    return;
  }
  const sameStatus = existing["status"] === condition["status"];
  const lastTransitionTime = sameStatus ? existing["lastTransitionTime"] : condition["lastTransitionTime"];
  Object.assign(existing, condition, { lastTransitionTime });
}
