import { fieldError, type JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { conditionOfType, isSet, textAt } from "../../../objects/json-fields.js";
import { metaOf, timestamp } from "../../../objects/object-meta.js";
import { ownList, ownObject } from "../../../objects/own-members.js";

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
  validate(apiService) {
    const { name = "" } = metaOf(apiService);
    const required = `${textAt(apiService, "spec", "version")}.${textAt(apiService, "spec", "group")}`;
    return name === required
      ? []
      : [
          fieldError.invalid(
            "metadata.name",
            name,
            `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`,
          ),
        ];
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
