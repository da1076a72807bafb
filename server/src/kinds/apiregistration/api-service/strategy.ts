import { fieldError } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { setCondition } from "../../../objects/conditions.js";
import { isSet, textAt } from "../../../objects/json-fields.js";
import { metaOf, timestamp } from "../../../objects/object-meta.js";

/** Services of this process are always available. */
export const apiServiceStrategy: ResourceStrategy = {
  prepareForCreate(apiService, context) {
    if (!isSet(apiService, "spec", "service")) {
      const message = "Local APIServices are always available";
      const condition = { type: "Available", status: "True", reason: "Local", message } as const;
      setCondition(apiService, condition, timestamp(context.nowMs));
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
